//@ test run
// The stack of the program ends; the interpreter's does not.
static unsigned depth(unsigned n)
{
    return depth(n + 1) + 1;
}

int main(void)
{
    return (int)depth(0);
}
