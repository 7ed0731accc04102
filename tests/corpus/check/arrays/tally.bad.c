//@ property: unreach-call
//@ verdict: false
//@ engines: kind
// A wide sum over elements that are all the same, or not.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int marks[1000];

int main(void) {
    int n = __VERIFIER_nondet_int();
    long long sum = 0;
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        marks[i] = 1;
    for (int i = 0; i < n; i++) {
        if (marks[i] == i % 4 / 3)
            marks[i]--;
        else
            marks[i]++;
    }
    for (int i = 0; i < n; i++) {
        if (marks[i] == 0)
            sum = sum + 2;
        else
            sum = sum * marks[i];
    }
    if (sum != 2 * n)
        reach_error();
    return 0;
}
