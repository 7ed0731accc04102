// Every value is set before it is used. Structures may be copied while members have no value, and bytes too.
#include <string.h>

struct pair {
    int first, second;
};

int main(void)
{
    struct pair partial, copy;
    partial.first = 4;
    copy = partial;
    struct pair again;
    memcpy(&again, &partial, sizeof again);
    int late;
    if (copy.first > 3)
        late = 1;
    else
        late = 2;
    static int zero;
    return late == 1 && again.first == 4 && zero == 0 ? 0 : 1;
}
