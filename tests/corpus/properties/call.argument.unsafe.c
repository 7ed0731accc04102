// A block is copied onto a part of itself; `memmove` could do that.
#include <string.h>

int main(void)
{
    char text[8] = "abcdefg";
    memcpy(text + 2, text, 4); //~ call.argument
    return 0;
}
