//@ test dump --at preprocessed
#include <vector>
using namespace std;
//@ expect
//> --- standard error
//> error[D0003]: `vector` is a header of C++
//>  --> cpp_header.c:2:10
//>   |
//> 2 | #include <vector>
//>   |          ^^^^^^^^
//>   |
//>   = note: Vergo verifies C; the file seems to be C++
//>
//> vergo: 1 error
//> --- exit status: 2
