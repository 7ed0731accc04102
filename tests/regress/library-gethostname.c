//@ check
//@ verdict true
#include <unistd.h>
int main(void)
{
    char b[8];
    gethostname(b, 8);
    return 0;
}
