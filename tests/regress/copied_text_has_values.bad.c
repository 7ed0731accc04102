//@ check --property memory.uninitialized --engine bmc-incremental
//@ verdict false
char *strcpy(char *, const char *);
int main(void)
{
    char a[4], b[4];
    b[3] = 0;
    strcpy(a, b);
    return 0;
}
