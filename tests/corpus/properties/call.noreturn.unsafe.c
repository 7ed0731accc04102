#include <stdlib.h>
_Noreturn static void leave(int status)
{
    if (status)
        exit(status);
} //~ call.noreturn

int main(void)
{
    leave(0);
}
