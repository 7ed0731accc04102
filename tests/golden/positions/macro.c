//@ test dump --at types
#include "twice.h"
#define CALL(f, x) f((x), (x))
int one(int);
int main(void)
{
    int value   =   3; /* blanks and comments move columns */
    value = TWICE(undeclared_in_argument);
    return CALL(one, value)   + /* here */ also_undeclared;
}
//@ expect
//> --- standard error
//> error[C0201]: `nothing` is not declared
//>  --> twice.h:3:50
//>   |
//> 3 | static inline int in_header(void) { return TWICE(nothing); }
//>   |                                                  ^^^^^^^
//>   |
//>   = note: included from macro.c:2
//>
//> error[C0201]: `undeclared_in_argument` is not declared
//>  --> macro.c:8:19
//>   |
//> 8 |     value = TWICE(undeclared_in_argument);
//>   |                   ^^^^^^^^^^^^^^^^^^^^^^
//>
//> error[C0218]: `one` takes 1 argument, but 2 were given
//>  --> macro.c:9:17
//>   |
//> 4 | int one(int);
//>   |     --- declared here
//> ...
//> 9 |     return CALL(one, value)   + /* here */ also_undeclared;
//>   |                 ^^^
//>
//> error[C0201]: `also_undeclared` is not declared
//>  --> macro.c:9:44
//>   |
//> 9 |     return CALL(one, value)   + /* here */ also_undeclared;
//>   |                                            ^^^^^^^^^^^^^^^
//>
//> vergo: 4 errors
//> --- exit status: 2
