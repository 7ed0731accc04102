//@ test transform --arrays
int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }
