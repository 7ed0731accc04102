//@ test check
int helper(void) { return 1; }
