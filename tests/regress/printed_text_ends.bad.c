//@ check --property valid-deref --engine bmc-incremental
//@ verdict false
//@ check --property valid-deref --engine kind
//@ verdict false
int printf(const char *, ...);
int main(void)
{
    char text[3] = { 'a', 'b', 'c' };
    printf("%s\n", text);
    return 0;
}
