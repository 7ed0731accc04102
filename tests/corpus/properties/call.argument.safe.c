// Blocks that do not overlap, arguments as the format says, characters.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[8] = "abc";
    memcpy(text + 4, text, 4);
    printf("%s %d\n", text, isalpha((unsigned char)text[0]) != 0);
    return 0;
}
