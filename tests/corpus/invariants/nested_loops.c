extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int row = 0;
    while (row < 8) {
        int column = 0;
        while (column < 8) {
            if (row < 0 || row > 7 || column > 7)
                reach_error();
            column++;
        }
        row++;
    }
    return 0;
}
