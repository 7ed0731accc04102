//@ check
//@ verdict true
static int x = (int){42};
int main(void) { return x - 42; }
