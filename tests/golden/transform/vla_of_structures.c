//@ test transform --arrays
struct s { int x; };
int main(int argc, char **argv) { (void)argv; struct s a[argc]; for (int i = 0; i < argc; i++) a[i].x = i; return a[0].x; }
