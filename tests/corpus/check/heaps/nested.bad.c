//@ property: valid-memsafety
//@ verdict: false
//@ engines: bmc-incremental portfolio
// Of each list within the list one node is freed.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct word {
    struct word *next;
};

struct line {
    struct word *words;
    struct line *next;
};

int main(void) {
    struct line *lines = 0;
    while (__VERIFIER_nondet_int()) {
        struct line *line = malloc(sizeof *line);
        line->words = 0;
        line->next = lines;
        lines = line;
        while (__VERIFIER_nondet_int()) {
            struct word *word = malloc(sizeof *word);
            word->next = line->words;
            line->words = word;
        }
    }
    while (lines) {
        struct line *line = lines;
        lines = line->next;
        if (line->words) {
            struct word *word = line->words;
            line->words = word->next;
            free(word);
        }
        free(line);
    }
    return 0;
}
