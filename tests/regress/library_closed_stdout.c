//@ check --property memory.lifetime --engine bmc-incremental
//@ verdict true
typedef struct file FILE;
extern FILE *stdout, *stderr; extern int fclose(FILE *), printf(const char *, ...), fprintf(FILE *, const char *, ...);
int main(void)
{
    printf("open\n");
    fclose(stdout);
    fprintf(stderr, "open\n");
    return 0;
}
