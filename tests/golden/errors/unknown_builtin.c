//@ test dump --at types
int f(int x) { return __builtin_no_such_thing(x) + __builtin_popcont(x); }
//@ expect
//> --- standard error
//> error[C0242]: unknown builtin `__builtin_no_such_thing`
//>  --> unknown_builtin.c:2:23
//>   |
//> 2 | int f(int x) { return __builtin_no_such_thing(x) + __builtin_popcont(x); }
//>   |                       ^^^^^^^^^^^^^^^^^^^^^^^
//>   |
//>   = note: Vergo knows the builtins of gcc that are not tied to a processor
//>
//> error[C0242]: unknown builtin `__builtin_popcont`
//>  --> unknown_builtin.c:2:52
//>   |
//> 2 | int f(int x) { return __builtin_no_such_thing(x) + __builtin_popcont(x); }
//>   |                                                    ^^^^^^^^^^^^^^^^^
//>   |
//>   = note: Vergo knows the builtins of gcc that are not tied to a processor
//>
//> vergo: 2 errors
//> --- exit status: 2
