//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// One half of an array mirrors the other, but for one element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int word[8];

int main(void) {
    for (int i = 0; i < 8; i++)
        word[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++)
        word[i] = word[7 - i];
    for (int i = 0; i < 4; i++)
        if (word[i] != word[7 - i])
            reach_error();
    return 0;
}
