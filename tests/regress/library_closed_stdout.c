//@ property: memory.lifetime
//@ verdict: true
//@ engines: bmc-incremental
typedef struct file FILE;
extern FILE *stdout, *stderr; extern int fclose(FILE *), printf(const char *, ...), fprintf(FILE *, const char *, ...);
int main(void)
{
    printf("open\n");
    fclose(stdout);
    fprintf(stderr, "open\n");
    return 0;
}
