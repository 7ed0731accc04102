//@ property: valid-memsafety
//@ verdict: true
//@ engines: portfolio shapes
// Lists of lists of lists, whose nodes are zero at first.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
extern void free(void *);

struct word {
    struct word *next;
    int *count;
};

struct line {
    struct word *words;
    struct line *next;
};

struct page {
    struct page *next;
    struct line *lines;
};

static void *zeros(unsigned long size) {
    void *object = malloc(size);
    return memset(object, 0, size);
}

static void add_word(struct word **words) {
    struct word *word = zeros(sizeof *word);
    word->count = zeros(sizeof *word->count);
    word->next = *words;
    *words = word;
}

static void add_line(struct line **lines) {
    struct line *line = zeros(sizeof *line);
    do
        add_word(&line->words);
    while (__VERIFIER_nondet_int());
    line->next = *lines;
    *lines = line;
}

int main(void) {
    struct page *pages = 0;
    do {
        struct page *page = zeros(sizeof *page);
        do
            add_line(&page->lines);
        while (__VERIFIER_nondet_int());
        page->next = pages;
        pages = page;
    } while (__VERIFIER_nondet_int());
    while (pages) {
        struct page *page = pages;
        pages = page->next;
        while (page->lines) {
            struct line *line = page->lines;
            page->lines = line->next;
            while (line->words) {
                struct word *word = line->words;
                line->words = word->next;
                free(word->count);
                free(word);
            }
            free(line);
        }
        free(page);
    }
    return 0;
}
