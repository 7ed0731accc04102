/* Complex numbers of integers (GNU C). */
int printf(const char *, ...);

typedef _Complex int ci;
typedef _Complex unsigned char cuc;

static ci global = 3 - 4i;
static struct { short before; _Complex short pair[2]; } record = { 1, { 5 + 6i, 7i } };

static void show(const char *what, ci z)
{
    printf("%s %d%+di\n", what, __real__ z, __imag__ z);
}

static ci conjugate(ci z)
{
    return ~z;
}

int main(void)
{
    ci a = 7 + 3i, b = 2 - 1i;
    show("sum", a + b);
    show("difference", a - b);
    show("product", a * b);
    show("quotient", a / b);
    show("steep", a / (1 + 5i));
    show("real", a / 2);
    show("scaled", 3 * a - 1);
    show("negated", -a);
    show("conjugate", conjugate(a));
    show("global", global);
    show("member", record.pair[0]);
    show("last", record.pair[1]);
    printf("%d %d %d\n", (int)sizeof(ci), (int)sizeof(cuc), (int)__alignof__(ci));
    cuc c = 200 + 100i;
    c += 100 + 200i;
    printf("%d %d\n", __real__ c, __imag__ c);
    a *= b;
    a /= 1 + 1i;
    a++;
    show("changed", a);
    _Complex double d = a;
    printf("%g %g\n", __real__ d, __imag__ d);
    a = 2.75 - 3.5i;
    show("cut", a);
    printf("%d %d %d %d\n", a == 2 - 3i, a != 2 - 3i, !a, a ? 1 : 0);
    printf("%d %d\n", (int)a, (_Bool)(0 + 1i));
    __real__ a = 9;
    __imag__ a += 10;
    show("parts", a);
    return 0;
}
