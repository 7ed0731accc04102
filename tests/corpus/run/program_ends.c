//@ status: 3
/* Constructors, destructors, handlers, aliases, weak symbols, the exit status. */
int printf(const char *, ...), atexit(void (*)(void));
void exit(int);
static void first(void) { printf("first\n"); }
static void second(void) { printf("second\n"); }
__attribute__((constructor)) static void before(void) { printf("before\n"); }
__attribute__((constructor(101))) static void earliest(void) { printf("earliest\n"); }
__attribute__((destructor)) static void after(void) { printf("after\n"); }
int real(int x) { return x + 1; }
int other(int x) __attribute__((alias("real")));
extern int nowhere(void) __attribute__((weak));
int weak_one(void) __attribute__((weak));
int weak_one(void) { return 77; }
static _Thread_local int tls = 4;

int main(int argc, char **argv)
{
    atexit(first);
    atexit(second);
    printf("%d %d %d\n", other(1), nowhere ? nowhere() : -1, weak_one());
    printf("%d %d %d\n", argc >= 1, argv[argc] == 0, tls++);
    if (tls == 5) exit(3);
    return 1;
}
