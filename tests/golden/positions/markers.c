//@ test dump --at types
# 100 "generated.y" 1
int before = undeclared_at_100;
#line 7
int after = undeclared_at_7;
# 3 "/usr/include/system.h" 3
int in_system = undeclared_at_3;
