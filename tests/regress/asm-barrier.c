//@ check
//@ verdict true
// A barrier and an operation on its operand: nothing else changes.
int main(void) {
    long word = 0;
    int other = 1;
    __asm__ volatile("mfence" : : : "memory");
    __asm__ volatile("lock; btsq %1, %0" : "+m"(word) : "Ir"(3L) : "memory");
    return other - 1;
}
