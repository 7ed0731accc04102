//@ test dump --at types
struct s { int a; };
int take(int x, char *p);
int main(void)
{
    struct s v;
    int *p = v;
    take(1);
    take(1, "s", 2);
    v.b = 3;
    p = 1.5;
    return v;
    break;
}
//@ expect
//> --- standard error
//> error[C0213]: this initialisation has an incompatible type
//>  --> types.c:7:14
//>   |
//> 7 |     int *p = v;
//>   |              ^ expected `int *`, found `struct s`
//>
//> error[C0218]: `take` takes 2 arguments, but 1 was given
//>  --> types.c:8:5
//>   |
//> 3 | int take(int x, char *p);
//>   |     ---- declared here
//> ...
//> 8 |     take(1);
//>   |     ^^^^
//>
//> error[C0218]: `take` takes 2 arguments, but 3 were given
//>  --> types.c:9:5
//>   |
//> 3 | int take(int x, char *p);
//>   |     ---- declared here
//> ...
//> 9 |     take(1, "s", 2);
//>   |     ^^^^
//>
//> error[C0207]: `struct s` has no member `b`
//>   --> types.c:10:5
//>    |
//> 10 |     v.b = 3;
//>    |     ^^^
//>
//> error[C0213]: this assignment has an incompatible type
//>   --> types.c:11:9
//>    |
//> 11 |     p = 1.5;
//>    |         ^^^ expected `int *`, found `double`
//>
//> error[C0213]: this `return` has an incompatible type
//>   --> types.c:12:12
//>    |
//> 12 |     return v;
//>    |            ^ expected `int`, found `struct s`
//>
//> error[C0239]: `break` outside of a loop or `switch`
//>   --> types.c:13:5
//>    |
//> 13 |     break;
//>    |     ^^^^^^
//>
//> vergo: 7 errors
//> --- exit status: 2
