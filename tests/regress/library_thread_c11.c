//@ check --property call.type --engine bmc-incremental
//@ verdict unknown
// Threads are not followed by this engine; the call of `work` was taken for one through a pointer of another type.
extern int thrd_create(unsigned long *, int (*)(void *), void *);
static int work(void *at)
{
    return at != 0;
}
int main(void)
{
    unsigned long thread;
    return thrd_create(&thread, work, 0);
}
