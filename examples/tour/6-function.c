/* Lesson 6: a function without a program around it.
   vergo check 6-function.c --function clamp
   Parameters have every value of their types; assume() says which ones count. */
#include <assert.h>
extern void __VERIFIER_assume(int);

int clamp(int x, int low, int high)
{
    __VERIFIER_assume(low <= high);
    int result = x < low ? low : x > high ? high : x;
    assert(low <= result && result <= high);
    return result;
}
