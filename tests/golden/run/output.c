//@ test run
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char text[16];
    strcpy(text, "vergo");
    printf("%s has %zu letters, %d argument%s\n", text, strlen(text), argc, argc == 1 ? "" : "s");
    printf("%5.2f|%-6d|%#x\n", 2.0 / 3, 42, 255u);
    return 3;
}
