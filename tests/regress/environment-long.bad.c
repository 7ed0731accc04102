//@ check --violations first
//@ verdict false(memory.bounds)
//@ check --property valid-deref
//@ verdict false(valid-deref)
// A variable of the environment may be longer than any buffer that somebody thought of.
extern char *getenv(const char *), *strcpy(char *, const char *);
int main(void)
{
    char path[256];
    char *home = getenv("HOME");
    if (home)
        strcpy(path, home);
    return 0;
}
