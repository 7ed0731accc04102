//@ property: memory.bounds
//@ verdict: false
//@ engines: bmc-incremental kind
// Strings are compared up to the first difference, but what is compared has to be strings.
int strcmp(const char *, const char *);
int main(void)
{
    char open[2] = { 'a', 'b' };
    return strcmp("x", open) == 0; //~ memory.bounds
}
