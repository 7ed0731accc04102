extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

struct range {
    int low, high;
};

int main(void) {
    struct range searched = {0, 64};
    while (searched.low < searched.high) {
        int middle = (searched.low + searched.high) / 2;
        if (middle < 0 || middle > 64)
            reach_error();
        if (__VERIFIER_nondet_int())
            searched.low = middle + 1;
        else
            searched.high = middle;
    }
    return 0;
}
