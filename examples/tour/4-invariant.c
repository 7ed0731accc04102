/* Lesson 4: loops without a bound are proved by an invariant.
   vergo check 4-invariant.c --witness witness.yml
   No number of rounds would be enough; the witness says what holds whenever the loop begins a round. */
#include <assert.h>
extern int nondet_int(void);

int main(void)
{
    unsigned given = 0, taken = 0;
    while (nondet_int()) {
        given += 2;
        taken += 2;
    }
    assert(given == taken);
    return 0;
}
