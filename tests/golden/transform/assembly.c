//@ test transform --arrays
int a[9];
int main(void) { for (int i = 0; i < 9; i++) { a[i] = i; __asm__ volatile ("nop" : "=r" (a[i])); } return 0; }
