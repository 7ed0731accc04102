//@ test run counter.c report.c
// Three files: static variables and functions of the same names stay apart, external ones are one, a tentative
// definition in two files is one object, and a structure with the same tag and members is one type.
#include <stdio.h>

struct total {
    int sum;
    struct total *next;
};

extern int next(void);
extern void report(const struct total *);
int shared;
static int count = 100;

static int step(void)
{
    return ++count;
}

int main(void)
{
    struct total first = { next(), 0 }, second = { next(), &first };
    shared += 5;
    printf("%d %d\n", step(), shared);
    report(&second);
    return shared;
}
