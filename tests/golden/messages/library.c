//@ test check --engine bmc-incremental --violations first --property memory.bounds
#include <string.h>

struct message { char text[8]; };

static void fill(struct message *m, const char *text, int length) {
    memcpy(m->text, text, length);
}

int main(void) {
    struct message m;
    fill(&m, "a text that is long", 20);
    return m.text[0];
}
