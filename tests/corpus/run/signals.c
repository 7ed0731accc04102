/* Signals that the program raises itself. */
int printf(const char *, ...);
int raise(int);
void (*signal(int, void (*)(int)))(int);

static int seen;

static void note(int number)
{
    seen = seen * 100 + number;
}

int main(void)
{
    printf("%d\n", signal(10, note) == 0);
    printf("%d\n", raise(10));
    printf("%d\n", signal(12, note) == 0);
    raise(12);
    raise(10);
    printf("%d\n", seen);
    printf("%d\n", signal(10, (void (*)(int))1) == note);
    raise(10);
    raise(17);
    printf("%d %d\n", seen, raise(0));
    printf("%d\n", signal(9, note) == (void (*)(int))-1);
    return 0;
}
