/* `goto` into and out of scopes, computed `goto`, lifetimes. */
int printf(const char *, ...);

static int back(int n)
{
    int total = 0;
again:;
    int x = n * 2;
    int *q = &x;
    total += *q;
    if (n-- > 0) goto again;
    return total;
}

static int into(int n)
{
    int r = 0;
    if (n) goto inside;
    {
        int a = 5;
        r += a;
    inside:
        a = 6;
        r += a;
        for (int i = 0; i < 3; i++) {
            int b = i;
            if (i == 2) goto out;
            r += b;
        }
    }
out:
    return r;
}

static int computed(const unsigned char *code)
{
    static void *table[] = {&&push, &&add, &&mul, &&stop};
    int stack[8], top = 0;
    for (;;) {
        goto *table[*code++];
    push:
        stack[top++] = *code++;
        continue;
    add:
        top--;
        stack[top - 1] += stack[top];
        continue;
    mul:
        top--;
        stack[top - 1] *= stack[top];
        continue;
    stop:
        return stack[0];
    }
}

static int offsets(int i)
{
    static const int table[] = {&&one - &&one, &&two - &&one, &&three - &&one};
    goto *(&&one + table[i]);
one: return 1;
two: return 2;
three: return 3;
}

static int arrays(int n)
{
    int total = 0;
    for (int i = 1; i <= n; i++) {
        int v[i];
        for (int k = 0; k < i; k++) v[k] = k;
        if (i == 3) continue;
        total += v[i - 1] + (int)sizeof v;
        if (i == 5) break;
    }
    int m = 0;
restart:;
    int w[m + 1];
    w[m] = m;
    total += w[m];
    if (m++ < 3) goto restart;
    return total;
}

static void report(int *x) { printf("cleanup %d\n", *x); }

static int cleanup(int n)
{
    int a __attribute__((cleanup(report))) = 1;
    for (int i = 0; i < 2; i++) {
        int b __attribute__((cleanup(report))) = 10 + i;
        if (n == i) return b + a;
        if (n == 5) goto end;
    }
end:
    return a;
}

int main(void)
{
    printf("%d\n", back(3));
    printf("%d %d\n", into(0), into(1));
    printf("%d\n", computed((const unsigned char[]){0, 2, 0, 3, 1, 0, 4, 2, 3}));
    printf("%d %d %d\n", offsets(0), offsets(1), offsets(2));
    printf("%d\n", arrays(4));
    printf("%d\n", cleanup(0));
    printf("%d\n", cleanup(1));
    printf("%d\n", cleanup(5));
    return 0;
}
