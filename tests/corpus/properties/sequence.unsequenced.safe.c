// Commas, conditions, calls and the value of an assignment's operands make an order.
static int same(int x) { return x; }

int main(void)
{
    int i = 0, a[4] = {0, 1, 2, 3}, b[4], *p = a, *q = b;
    i = i + 1;
    i = (i++, i + 1);
    i = same(i++);
    i = i++ ? 3 : 4;
    while (p < a + 4)
        *q++ = *p++;
    a[i - 3] = a[i - 2]++;
    int j = i++ && i == 4;
    p = q = a;
    return i == 4 && b[3] == 3 && j && a[0] == 1 && a[1] == 2 && p == q ? 0 : 1;
}
