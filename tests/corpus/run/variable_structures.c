// Structures with members whose length is known only at run time (GNU C).
int printf(const char *, ...);
void *memset(void *, int, unsigned long);

static int total(int n) {
    struct row { char tag; int cells[n]; short last; };
    struct row rows[n + 1];
    printf("%d: row %zu, rows %zu\n", n, sizeof(struct row), sizeof rows);
    for (int i = 0; i <= n; i++) {
        rows[i].tag = 'a' + i;
        for (int k = 0; k < n; k++)
            rows[i].cells[k] = 10 * i + k;
        rows[i].last = -i;
    }
    int sum = 0;
    for (struct row *r = rows; r < rows + n + 1; r++) {
        for (int k = 0; k < n; k++)
            sum += r->cells[k];
        sum += r->last;
    }
    printf("%c %d %d\n", rows[n].tag, rows[n].cells[n - 1], (int)(&rows[n] - rows));
    return sum;
}

static long offsets(int n, int m) {
    struct inner { short a[n]; char end; };
    struct outer { char c; struct inner in; double d[m]; long l; } o;
    memset(&o, 0, sizeof o);
    o.in.a[n - 1] = 7;
    o.in.end = 'e';
    o.d[m - 1] = 2.5;
    o.l = 99;
    char *base = (char *)&o;
    printf("%ld %ld %ld %ld, %zu\n", (char *)&o.in - base, (char *)&o.in.end - base, (char *)o.d - base,
           (char *)&o.l - base, sizeof o);
    printf("%d %c %g %ld\n", o.in.a[n - 1], o.in.end, o.d[m - 1], o.l);
    // The lengths are those of the declaration.
    int before = sizeof o;
    n = m = 100;
    return before == (int)sizeof o;
}

int main(void) {
    printf("%d\n", total(1));
    printf("%d\n", total(4));
    printf("%ld\n", offsets(3, 2));
    printf("%ld\n", offsets(8, 5));
    return 0;
}
