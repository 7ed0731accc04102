//@ test dump --at types
class Stack {
public:
    int top() const { return items[n - 1]; }
private:
    int items[10], n;
};
//@ expect
//> --- standard error
//> error[C0117]: a class belongs to C++, and this is read as C
//>  --> cplusplus.c:2:1
//>   |
//> 2 | class Stack {
//>   | ^^^^^
//>   |
//>   = help: Vergo verifies C; translate the program, or verify the part of it that is C
//>
//> vergo: 1 error
//> --- exit status: 2
