// The text has no room for its end; the library function writes it, the call is to blame.
#include <string.h>

int main(void)
{
    char text[5];
    strcpy(text, "four");
    strcpy(text, "vergo"); //~ memory.bounds
    return 0;
}
