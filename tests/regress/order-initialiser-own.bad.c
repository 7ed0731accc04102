//@ check
//@ verdict false(reach.error)
// An effect in an initialiser comes before or after what its other expressions read; it is no unsequenced one.
extern void reach_error(void);
int main(void)
{
    int k = 0;
    struct { int a; struct { int b, c; } in; } s = {.in.c = k++, .a = k};
    if (s.a == 0)
        reach_error();
    return 0;
}
