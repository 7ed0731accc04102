//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* An address is none that is not aligned, and not null. */
typedef unsigned long uintptr_t;
extern void reach_error(void);

int g;
int main(void)
{
    switch ((uintptr_t)&g) {
    case 0:
    case 0x10001:
        reach_error();
    }
    return 0;
}
