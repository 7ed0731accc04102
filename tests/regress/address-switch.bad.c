//@ check --property unreach-call --engine bmc-incremental
//@ verdict false
/* An address is any that is aligned. */
typedef unsigned long uintptr_t;
extern void reach_error(void);

int g;
int main(void)
{
    switch ((uintptr_t)&g) {
    case 0x10000:
        reach_error();
    }
    return 0;
}
