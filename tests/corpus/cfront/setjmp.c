// setjmp and longjmp, signals of library headers, errno, assert.
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env;
static void fail(int code) { if (code > 2) longjmp(env, code); fail(code + 1); }
int main(void) {
    volatile int tries = 0;
    int r = setjmp(env);
    if (r == 0) { tries++; fail(0); }
    printf("%d %d\n", r, tries);
    switch (setjmp(env)) { case 0: longjmp(env, 0); case 1: printf("one\n"); break; default: printf("?\n"); }
    errno = 0; assert(errno == 0); errno = ERANGE; printf("%d\n", errno == ERANGE);
    char *end; long v = strtol("123xyz", &end, 10); printf("%ld %s\n", v, end);
    char buffer[20]; snprintf(buffer, sizeof buffer, "%05d|%-4s|", 42, "ab"); puts(buffer); fputs(strchr(buffer, '|'), stdout);
    int *a = calloc(4, sizeof *a); a[3] = 5; a = realloc(a, 8 * sizeof *a); printf("\n%d %d\n", a[3], abs(-3)); free(a);
    fprintf(stdout, "%c%s\n", toupper_('q'), getenv("VERGO_NO_SUCH_VARIABLE") ? "set" : "unset");
    return EXIT_SUCCESS;
}
int toupper_(int c) { return c - 'a' + 'A'; }
