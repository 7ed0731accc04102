//@ test transform --arrays
union u { int i; float f; } a[9];
int main(void) { for (int i = 0; i < 9; i++) a[i].i = i; return 0; }
