//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// One half of an array mirrors the other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int word[6000];

int main(void) {
    for (int i = 0; i < 6000; i++)
        word[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 3000; i++)
        word[i] = word[5999 - i];
    for (int i = 0; i < 3000; i++)
        if (word[i] != word[5999 - i])
            reach_error();
    return 0;
}
