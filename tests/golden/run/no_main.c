//@ test run
int x = 1;
