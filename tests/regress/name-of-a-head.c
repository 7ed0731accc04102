//@ check --property liveness
//@ verdict true

/* A variable of the user that is named as those that watch loops are, in a loop that ends. */
extern void assert_live(int);
int main(void) {
    assert_live(0);
    for (unsigned vergo_k0 = 0; vergo_k0 < 3; vergo_k0++) {}
    return 0;
}
