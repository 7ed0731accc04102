//@ check --property valid-deref --engine bmc-incremental
//@ verdict true
struct file;
struct file *fopen(const char *, const char *);
int fclose(struct file *);
int main(void)
{
    char path[2] = "a";
    struct file *file = fopen(path, "r");
    if (file)
        fclose(file);
    return 0;
}
