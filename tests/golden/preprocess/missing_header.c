//@ test dump --at preprocessed
#include "present.h"
#include "absent.h"
int x;
//@ expect
//> --- standard error
//> error[D0011]: the header `absent.h` was not found
//>  --> missing_header.c:3:10
//>   |
//> 3 | #include "absent.h"
//>   |          ^^^^^^^^^^
//>   |
//>   = help: add the folder that contains it with `-I DIR`
//>
//> vergo: 1 error
//> --- exit status: 2
