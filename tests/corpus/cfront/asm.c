// Inline assembly in all its forms.
#include <stdio.h>

__asm__(".pushsection .rodata\n\t.globl marker_symbol\nmarker_symbol:\n\t.long 1234\n.popsection");
extern const int marker_symbol;
static int add(int a, int b) { int r; __asm__("addl %2, %0" : "=r"(r) : "0"(a), "r"(b) : "cc"); return r; }
static unsigned swap(unsigned x) { asm volatile("bswap %[value]" : [value] "+r"(x)); return x; }
static int jump(int x) {
    asm goto("testl %0, %0\n\tjz %l[zero]" : : "r"(x) : "cc" : zero);
    return 1;
zero:
    return 0;
}
static void store(int *p, int v) { __asm__ __volatile__("movl %1, %0" : "=m"(*p) : "ir"(v) : "memory"); }
int main(void) {
    int x = 0; asm(""); asm volatile("nop"); asm volatile("" ::: "memory"); asm("# percent %% escaped" :);
    store(&x, 42);
    register long fixed asm("rbx") = 7; asm volatile("incq %0" : "+r"(fixed));
    printf("%d %x %d %d %d %ld %d\n", add(2, 3), swap(0x11223344), jump(5), jump(0), x, fixed, marker_symbol);
    return 0;
}
