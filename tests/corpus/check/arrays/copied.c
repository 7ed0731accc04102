//@ property: unreach-call
//@ verdict: true
//@ engines: kind portfolio
// A chain of copies, by loops that know nothing of each other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int first[3000], second[3000], third[3000], fourth[3000];

int main(void) {
    for (int i = 0; i < 3000; i++)
        first[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 3000; i++)
        second[i] = first[i];
    for (int i = 0; i < 3000; i++)
        third[i] = second[i];
    for (int i = 0; i < 3000; i++)
        fourth[i] = third[i];
    for (int i = 0; i < 3000; i++)
        if (fourth[i] != first[i])
            reach_error();
    return 0;
}
