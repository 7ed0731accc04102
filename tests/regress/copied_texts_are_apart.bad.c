//@ property: call.argument
//@ verdict: false
//@ engines: bmc-incremental
#include <string.h>
int main(void)
{
    char text[8] = "abc";
    strcpy(text + 1, text);
    return 0;
}
