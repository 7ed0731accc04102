/* Variables of the environment that the program sets itself; bases of numbers. */
int printf(const char *, ...), setenv(const char *, const char *, int), putenv(char *), unsetenv(const char *), clearenv(void);
char *getenv(const char *);
long strtol(const char *, char **, int);
int *__errno_location(void);

static void show(const char *name)
{
    char *text = getenv(name);
    printf("%s: %s\n", name, text ? text : "none");
}

int main(void)
{
    static char put[] = "FRUIT=plum";
    clearenv();
    show("FRUIT");
    setenv("FRUIT", "apple", 0);
    show("FRUIT");
    setenv("FRUIT", "pear", 0);
    show("FRUIT");
    setenv("FRUIT", "fig", 1);
    show("FRUIT");
    putenv(put);
    put[6] = 'P';
    show("FRUIT");
    unsetenv("FRUIT");
    show("FRUIT");
    setenv("EMPTY", "", 1);
    show("EMPTY");
    *__errno_location() = 0;
    printf("%d %d\n", setenv("A=B", "x", 1), *__errno_location() == 22);
    *__errno_location() = 0;
    printf("%ld %d\n", strtol("12", 0, 99), *__errno_location() == 22);
    printf("%ld %ld %ld\n", strtol("zz", 0, 36), strtol("0x1F", 0, 0), strtol("101", 0, 2));
    return 0;
}
