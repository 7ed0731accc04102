//@ property: call.argument
//@ verdict: true
//@ engines: bmc-incremental
#include <string.h>
int main(void)
{
    char text[8] = "abc";
    strcpy(text + 4, text);
    return 0;
}
