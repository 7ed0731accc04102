//@ check
//@ verdict true
int main(void) {
    int x = 1;
    *(char *)&x = 2;
    return x - 2;
}
