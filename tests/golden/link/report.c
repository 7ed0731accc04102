// A companion of three_files.c.
#include <stdio.h>

struct total {
    int sum;
    struct total *next;
};

extern int shared;

void report(const struct total *total)
{
    static int count = 3;
    for (; total; total = total->next)
        printf("%d: %d of %d\n", count++, total->sum, shared);
}
