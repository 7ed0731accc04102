//@ test dump --at ast
int main(void)
{
    __label__ done;
    int i, a[] = { [0 ... 2] = 1, [5] = 2 };
    for (int j = 0; j < 3; j++) {
        switch (a[j]) {
        case 1 ... 3: continue;
        default: break;
        }
        if (j) goto done; else while (i--) ;
    }
    do i = ({ int t = a[0]; t ?: 7; }); while (0);
    void *p = &&done;
    goto *p;
done:
    __asm__ volatile ("nop" : "=r"(i) : "0"(a[1]) : "memory");
    return _Generic(i, int: 0, default: 1);
}
