//@ property: valid-deref
//@ verdict: true
//@ engines: bmc-incremental kind
int printf(const char *, ...);
int main(void)
{
    char text[3] = { 'a', 'b', 0 };
    printf("%s\n", text);
    return 0;
}
