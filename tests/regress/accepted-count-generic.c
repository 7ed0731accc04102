//@ check
//@ verdict true
int main(void) { unsigned x = 8; return __builtin_ctzg(x) - 3 + __builtin_clzg((unsigned char)1) - 7; }
