//@ test dump --at types
int table[4] = { [1].x = 2, [2][0] = 3 };
struct s { int a; } v = { .a.b = 1 };
//@ expect
//> --- standard error
//> error[C0233]: a designator goes into `int`, which has no parts
//>  --> designator.c:2:26
//>   |
//> 2 | int table[4] = { [1].x = 2, [2][0] = 3 };
//>   |                          ^
//>
//> error[C0233]: a designator goes into `int`, which has no parts
//>  --> designator.c:2:38
//>   |
//> 2 | int table[4] = { [1].x = 2, [2][0] = 3 };
//>   |                                      ^
//>
//> error[C0233]: a designator goes into `int`, which has no parts
//>  --> designator.c:3:34
//>   |
//> 3 | struct s { int a; } v = { .a.b = 1 };
//>   |                                  ^
//>
//> vergo: 3 errors
//> --- exit status: 2
