// A thread writes the sum, and nothing says whether before or after main reads it.
#include <pthread.h>

static int sum;

static void *add(void *argument)
{
    sum = *(int *)argument; //~ race
    return 0;
}

int main(void)
{
    int one = 1;
    pthread_t thread;
    pthread_create(&thread, 0, add, &one);
    int seen = sum;
    pthread_join(thread, 0);
    return seen - seen;
}
