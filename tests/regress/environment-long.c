//@ check
//@ verdict true
extern char *getenv(const char *);
int main(void)
{
    char path[4] = "";
    char *home = getenv("HOME");
    if (home)
        for (int i = 0; i < 3 && home[i]; i++)
            path[i] = home[i];
    return path[3];
}
