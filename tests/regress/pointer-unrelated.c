//@ check --property pointer.unrelated --engine bmc-incremental
//@ verdict true
/* Pointers into one object are related, and so are equal ones. */
int a[4];

int main(void)
{
    int *p = a + 1, *q = a + 4, *null = 0;
    return p < q && null <= null ? (int)(q - p) : 0;
}
