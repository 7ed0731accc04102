//@ test dump --at ast
int f(void) {
    int x = 1
    return x +;
}
struct s { int a; int b }
int g(int y { return y; }
int ok(void) { return 0; }
//@ expect
//> --- standard error
//> error[C0111]: expected `;` after the declaration, found `return`
//>  --> syntax.c:3:14
//>   |
//> 3 |     int x = 1
//>   |              ^ add `;` here
//> 4 |     return x +;
//>   |     ------ unexpected token
//>
//> error[C0113]: expected an expression, found `;`
//>  --> syntax.c:4:15
//>   |
//> 4 |     return x +;
//>   |               ^
//>
//> warning[C0111]: the last member has no semicolon
//>  --> syntax.c:6:24
//>   |
//> 6 | struct s { int a; int b }
//>   |                        ^ add `;` here
//>
//> error[C0111]: expected `;` after `}`, found `int`
//>  --> syntax.c:6:26
//>   |
//> 6 | struct s { int a; int b }
//>   |                          ^ add `;` here
//> 7 | int g(int y { return y; }
//>   | --- this begins another declaration
//>
//> error[C0117]: an initialiser without `=` belongs to C++, and this is read as C
//>  --> syntax.c:7:13
//>   |
//> 7 | int g(int y { return y; }
//>   |             ^
//>   |
//>   = help: Vergo verifies C; translate the program, or verify the part of it that is C
//>
//> vergo: 4 errors and 1 warning
//> --- exit status: 2
