//@ check --property unreach-call --engine bmc-incremental
//@ verdict true
/* Objects are aligned as their types want. */
typedef unsigned long uintptr_t;
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
void check(int c)
{
    if (!c)
        reach_error();
}

int g;
struct s { char c; int i; } s;
double d[2];
int main(void)
{
    check(((uintptr_t)&g & 3) == 0 && ((uintptr_t)&s.i & 3) == 0 && (uintptr_t)(d + 1) % 8 == 0);
    return 0;
}
