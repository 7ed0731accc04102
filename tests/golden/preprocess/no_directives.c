//@ test dump --at preprocessed --cpp no-such-program
#pragma GCC optimize("O2")
# 7 "elsewhere.c"
int x;
