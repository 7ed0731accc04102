// Compound literals: at file scope, in calls, addressed, arrays, modified, scalars.
#include <stdio.h>

struct point { int x, y; };
struct point *global = &(struct point){ 1, 2 };
int *numbers = (int[]){ 5, 6, 7 };
const char *text = (char[]){ "modifiable" };
static struct point table[] = { { 1, 1 }, (struct point){ 2, 2 } };

static int sum(const struct point *p, int n) { int t = 0; while (n--) t += p[n].x * p[n].y; return t; }
static struct point make(int x) { return (struct point){ .y = x, .x = x + 1 }; }

int main(void) {
    global->x = 10;
    printf("%d %d %d %s %d\n", global->x, global->y, numbers[2], text, table[1].x);
    printf("%d\n", sum((struct point[]){ { 1, 2 }, { 3, 4 }, [2] = { .y = 5, .x = 2 } }, 3));
    int *p = &(int){ 42 };
    ++*p;
    printf("%d %d\n", *p, (int){ 3 } + 1);
    for (int i = 0; i < 3; i++) {
        int *q = (int[2]){ i };
        q[1] += q[0] + 1;
        printf("%d ", q[1]);
    }
    printf("%d\n", make(4).x);
    struct point a = (struct point){ 1 };
    a = (a.x ? (struct point){ 7, 8 } : a);
    printf("%d %zu\n", a.y, sizeof((char[]){ "four" }));
    printf("%c\n", (char[]){ 'a', 'b', 'c' }[1]);
    struct { struct point *p; } holder = { &(struct point){ 3, 9 } };
    printf("%d\n", holder.p->y);
    return 0;
}
