//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental portfolio
// A chain of copies, one of which is off in the third element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int first[5], second[5], third[5], fourth[5];

int main(void) {
    for (int i = 0; i < 5; i++)
        first[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 5; i++)
        second[i] = first[i];
    for (int i = 0; i < 5; i++)
        third[i] = second[i] + (i == 2);
    for (int i = 0; i < 5; i++)
        fourth[i] = third[i];
    for (int i = 0; i < 5; i++)
        if (fourth[i] != first[i])
            reach_error();
    return 0;
}
