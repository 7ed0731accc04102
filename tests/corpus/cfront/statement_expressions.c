// Statement expressions: values, void ones, nested, with declarations that shadow.
#include <stdio.h>

#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
struct point { int x, y; };
static int calls;
static int side(int v) { calls++; return v; }

int x = 1000;

int main(void) {
    printf("%d\n", max(side(3), max(side(5), side(4))));
    printf("%d\n", calls);
    int y = ({ int x = 5; int y = x * 2; x + y; });
    printf("%d %d\n", y, x);
    struct point p = ({ struct point q = { 1, 2 }; q.x += 10; q; });
    printf("%d %d\n", p.x, p.y);
    printf("%d\n", ({ struct point q = { 7, 8 }; q; }).y);
    ({ y++; (void)0; });
    printf("%d\n", y);
    int n = 0;
    while (({ n++; n < 5; })) ;
    printf("%d\n", n);
    const char *s = ({ "literal"; });
    printf("%s\n", s);
    int a[3] = { ({ 1; }), ({ int t = n; t * t; }), 3 };
    printf("%d %d\n", a[1], ({ for (int i = 0; i < 3; i++) if (a[i] > 3) { n = i; break; } n; }));
    printf("%ld\n", ({ char c = 100; c + 100; }) * 2L);
    int r = ({ if (n == 1) goto skip; 1; }) + 1;
    printf("not reached %d\n", r);
skip:
    return ({ 0; });
}
