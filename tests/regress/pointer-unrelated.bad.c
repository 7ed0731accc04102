//@ check --property pointer.unrelated --engine bmc-incremental
//@ verdict false
/* The difference of pointers to different objects means nothing. */
int a[4], b[4];

int main(void)
{
    int *p = a, *q = b;
    return q - p > 0;
}
