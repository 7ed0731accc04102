//@ test dump --at types
int counter;
int main(void)
{
    countr = 1;
    return missing(counter);
}
//@ expect
//> --- standard error
//> error[C0201]: `countr` is not declared
//>  --> undeclared.c:5:5
//>   |
//> 5 |     countr = 1;
//>   |     ^^^^^^
//>   |
//>   = help: did you mean `counter`?
//>
//> warning[C0219]: the function `missing` is called but not declared
//>  --> undeclared.c:6:12
//>   |
//> 6 |     return missing(counter);
//>   |            ^^^^^^^
//>
//> vergo: 1 error and 1 warning
//> --- exit status: 2
