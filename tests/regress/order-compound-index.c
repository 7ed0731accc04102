//@ check --property unreach-call
//@ verdict true
// Where the element stands may be found before the call that changes the index, or after it.
extern void reach_error(void);
int a[4], i;
int f(void) {
    i = 2;
    return 1;
}
int main(void) {
    a[i] += f();
    if (a[0] + a[2] != 1)
        reach_error();
    return 0;
}
