//@ check --property memory.lifetime --engine bmc-incremental
//@ verdict false(memory.lifetime)
typedef struct file FILE;
extern FILE *stdout; extern int fclose(FILE *), printf(const char *, ...);
int main(void)
{
    fclose(stdout);
    printf("closed\n");
    return 0;
}
