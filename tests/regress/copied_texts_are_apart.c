//@ check --property call.argument --engine bmc-incremental
//@ verdict true
#include <string.h>
int main(void)
{
    char text[8] = "abc";
    strcpy(text + 4, text);
    return 0;
}
