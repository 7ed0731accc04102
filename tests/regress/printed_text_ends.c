//@ check --property valid-deref --engine bmc-incremental
//@ verdict true
//@ check --property valid-deref --engine kind
//@ verdict true
int printf(const char *, ...);
int main(void)
{
    char text[3] = { 'a', 'b', 0 };
    printf("%s\n", text);
    return 0;
}
