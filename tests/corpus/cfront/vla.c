// Variable-length arrays: declarations, parameters, sizeof, typedefs, pointers to them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int trace(int n, int m, int a[n][m]) {
    int total = 0;
    for (int i = 0; i < n && i < m; i++) total += a[i][i];
    return total;
}

static size_t row_size(int m, int (*a)[m + 1]) { return sizeof *a; }
static void fill(size_t n, char buffer[static n]) { memset(buffer, 'z', n); buffer[n - 1] = 0; }
extern int last(int n, int a[n]);
int last(int n, int a[n]) { return a[n - 1]; }

static int counter;
static int next(void) { return ++counter; }

int main(void) {
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
    n = 100; m = 200;
    printf("%zu %zu\n", sizeof a, sizeof a[0]);
    printf("%d\n", trace(3, 4, a));
    int b[next() + 1];
    printf("%zu %d\n", sizeof b, counter);
    typedef int row[counter + 2];
    counter = 50;
    row r;
    row *pr = malloc(sizeof(row) * 2);
    for (int i = 0; i < 3; i++) r[i] = pr[1][i] = i * i;
    printf("%zu %zu %d\n", sizeof r, sizeof *pr, pr[1][2] + last(3, r));
    free(pr);
    int (*q)[m / 50] = a;
    printf("%d %zu\n", q[1][1], sizeof *q);
    printf("%zu\n", row_size(6, malloc(100)));
    for (int i = 1; i < 4; i++) {
        char text[i * 2];
        fill(sizeof text, text);
        printf("%s %zu\n", text, sizeof text);
    }
    printf("%zu\n", sizeof(int[next()]) );
    printf("%d\n", counter);
    int k = 2;
    double (*d)[k] = calloc(3, sizeof *d);
    d[2][1] = 1.5; k = 77;
    printf("%g %td\n", (*(d + 2))[1], &d[2] - d);
    free(d);
    return 0;
}
