//@ check --property memory.bounds --engine bmc-incremental
//@ verdict true
//@ check --property memory.bounds --engine kind
//@ verdict true
int strncmp(const char *, const char *, unsigned long);
int strcmp(const char *, const char *);
int main(void)
{
    char open[2] = { 'a', 'b' }, closed[3] = { 'a', 'b' };
    return strncmp("x", open, 2) == 0 || strcmp("x", closed) == 0;
}
