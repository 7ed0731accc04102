// Calls through pointers of the functions' own types, and of types that differ in names of pointed-to types only.
typedef int (*operation)(int, int);

static int add(int a, int b)
{
    return a + b;
}

static int subtract(int a, int b)
{
    return a - b;
}

static int first(const char *text)
{
    return text[0];
}

int main(void)
{
    operation table[] = { add, &subtract };
    int (*untyped)() = add;
    int (*other)(char *) = (int (*)(char *))first;
    char text[] = "a";
    return table[0](2, 3) == 5 && (*table[1])(2, 3) == -1 && untyped(1, 1) == 2 && other(text) == 'a' ? 0 : 1;
}
