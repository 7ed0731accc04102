//@ check --property memory.bounds --engine bmc-incremental
//@ verdict false(memory.bounds)
//@ check --property memory.bounds --engine kind
//@ verdict false(memory.bounds)
// Strings are compared up to the first difference, but what is compared has to be strings.
int strcmp(const char *, const char *);
int main(void)
{
    char open[2] = { 'a', 'b' };
    return strcmp("x", open) == 0;
}
