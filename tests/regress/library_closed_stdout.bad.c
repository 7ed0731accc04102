//@ property: memory.lifetime
//@ verdict: false
//@ engines: bmc-incremental
typedef struct file FILE;
extern FILE *stdout; extern int fclose(FILE *), printf(const char *, ...);
int main(void)
{
    fclose(stdout);
    printf("closed\n"); //~ memory.lifetime
    return 0;
}
