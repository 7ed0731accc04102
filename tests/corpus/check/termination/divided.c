//@ property: termination
//@ verdict: true
//@ engines: portfolio
// What is divided by a counter is looked at by the division, and a round ends the program.
#include <stdlib.h>
int main(void)
{
    unsigned rounds = 0, part = 0;
    while (1) {
        rounds++;
        part = 1000 / rounds;
        if (part == 0)
            abort();
    }
}
