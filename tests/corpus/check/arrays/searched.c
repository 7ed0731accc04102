//@ property: unreach-call
//@ verdict: true
//@ engines: kind
// The first element that equals a key is where the search for it stops, and no earlier one equals it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int elements[1000];
    int key = __VERIFIER_nondet_int(), i, j;
    for (i = 0; i < 1000; i++)
        elements[i] = __VERIFIER_nondet_int();
    i = 0;
    while (i < 1000 && elements[i] != key)
        i++;
    for (j = 0; j < i; j++)
        if (elements[j] == key)
            reach_error();
    if (i < 1000 && elements[i] != key)
        reach_error();
    return 0;
}
