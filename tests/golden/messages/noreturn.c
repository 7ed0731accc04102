//@ test check --engine bmc-incremental --violations first --property call.noreturn
static int n_errors;

_Noreturn static void fail(int code) {
    n_errors += code;
}

int main(void) {
    if (n_errors == 0) {
        fail(3);
    }
    return 0;
}
