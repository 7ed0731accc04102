//@ test transform --arrays
extern void longjmp(int *, int);
int a[9], buf[40];
int main(void) { for (int i = 0; i < 9; i++) { if (a[i]) longjmp(buf, 1); } return 0; }
