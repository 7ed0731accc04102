//@ property: valid-deref
//@ verdict: false
//@ engines: bmc-incremental kind
int printf(const char *, ...);
int main(void)
{
    char text[3] = { 'a', 'b', 'c' };
    printf("%s\n", text);
    return 0;
}
