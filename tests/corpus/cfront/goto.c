// goto in all forms: into and out of blocks, computed, label tables, local labels.
#include <stdio.h>

static int interpret(const unsigned char *code) {
    static const void *const table[] = { &&push, &&add, &&mul, &&halt };
    int stack[8], sp = 0;
#define NEXT goto *table[*code++]
    NEXT;
push: stack[sp++] = *code++; NEXT;
add: sp--; stack[sp - 1] += stack[sp]; NEXT;
mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
halt: return stack[sp - 1];
}

static int offsets(int i) {
    static const int table[] = { &&a - &&a, &&b - &&a, &&c - &&a };
    goto *(&&a + table[i]);
a: return 10;
b: return 20;
c: return 30;
}

#define FIND(array, n, x) ({ __label__ done; int at = -1; \
    for (int i = 0; i < (n); i++) if ((array)[i] == (x)) { at = i; goto done; } \
    done: at; })

static int into_block(int skip) {
    int x = 1;
    if (skip) goto inside;
    {
        x = 100;
inside:
        x += 5;
    }
    return x;
}

int main(void) {
    unsigned char code[] = { 0, 2, 0, 3, 1, 0, 4, 2, 3 };
    printf("%d\n", interpret(code));
    printf("%d %d %d\n", offsets(0), offsets(1), offsets(2));
    int a[] = { 4, 5, 6 };
    printf("%d %d\n", FIND(a, 3, 6), FIND(a, 3, 9));
    printf("%d %d\n", into_block(0), into_block(1));
    int i = 0;
again:
    if (i++ < 3) goto again;
    printf("%d\n", i);
    for (int j = 0; j < 10; j++)
        for (int k = 0; k < 10; k++)
            if (j * k == 42) { printf("%d %d\n", j, k); goto out; }
out:;
    void *target = i > 3 ? &&yes : &&no;
    goto *target;
no: printf("no\n"); return 1;
yes: printf("yes\n");
    return 0;
}
