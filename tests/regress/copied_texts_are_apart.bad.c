//@ check --property call.argument --engine bmc-incremental
//@ verdict false
#include <string.h>
int main(void)
{
    char text[8] = "abc";
    strcpy(text + 1, text);
    return 0;
}
