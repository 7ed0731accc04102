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
//> error[C0111]: expected `;` after the member, found `}`
//>  --> syntax.c:6:24
//>   |
//> 6 | struct s { int a; int b }
//>   |                        ^- unexpected token
//>   |                        |
//>   |                        add `;` here
//>
//> error[C0116]: a declaration has one type, but `int` begins another
//>  --> syntax.c:7:1
//>   |
//> 6 | struct s { int a; int b }
//>   | ------------------------- the first type is here
//> 7 | int g(int y { return y; }
//>   | ^^^
//>   |
//>   = help: write `;` after the closing brace if the declaration ends there
//>
//> error[C0117]: an initialiser without `=` belongs to C++, and this is read as C
//>  --> syntax.c:7:13
//>   |
//> 7 | int g(int y { return y; }
//>   |             ^
//>   |
//>   = help: Vergo verifies C; translate the program, or verify the part of it that is C
//>
//> vergo: 5 errors
//> --- exit status: 2
