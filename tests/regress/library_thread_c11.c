//@ property: call.type
//@ verdict: true
//@ engines: bmc-incremental
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
