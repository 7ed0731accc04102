//@ check
//@ verdict false(memory.read-only)
int main(void) {
    const int x = 1;
    *(char *)&x = 2;
    return 0;
}
