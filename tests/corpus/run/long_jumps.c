/* `setjmp` and `longjmp`. */
int printf(const char *, ...);
typedef __typeof__(sizeof 0) size_t;
typedef long jmp_buf[40];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
jmp_buf outer, inner;
static volatile int depth;

static void down(int n)
{
    int local = n * 2;
    depth++;
    if (n == 0) longjmp(outer, 42);
    down(n - 1);
    printf("never %d\n", local);
}

static int nested(int k)
{
    int r = setjmp(inner);
    if (r == 0) {
        if (k == 1) longjmp(inner, 0);
        if (k == 2) longjmp(outer, 7);
        return 5;
    }
    return 10 + r;
}

static int compare(const void *a, const void *b)
{
    if (*(const int *)a == 13) longjmp(outer, 99);
    return *(const int *)a - *(const int *)b;
}

static int value(void) { return 3; }

int main(void)
{
    volatile int v = 1;
    int r = setjmp(outer);
    if (r == 0) {
        v = 2;
        down(5);
    }
    printf("%d %d %d\n", r, v, depth);
    printf("%d %d\n", nested(0), nested(1));
    switch (setjmp(outer)) {
    case 0: printf("first\n"); nested(2); printf("never\n");
    case 7: printf("seven\n"); break;
    default: printf("other\n");
    }
    int a[] = {3, 13, 2};
    if (setjmp(outer) == 0) {
        qsort(a, 3, sizeof *a, compare);
        printf("never\n");
    } else {
        printf("left the sort\n");
    }
    for (int i = 0; i < 3; i++) {
        volatile int count = 0;
        if (setjmp(inner) < 3) {
            count++;
            longjmp(inner, count);
        }
        printf("%d %d\n", i, count);
    }
    return value() + (setjmp(inner) != 0) - 3;
}
