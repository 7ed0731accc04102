//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* A pointer of unknown origin may be the address of any object. */
extern void reach_error(void);

void g(void) {}
int main(void)
{
    void (*p)(void);
    unsigned char bytes[sizeof p];
    memcpy(&p, bytes, sizeof p);
    if (p == g)
        reach_error();
    return 0;
}
