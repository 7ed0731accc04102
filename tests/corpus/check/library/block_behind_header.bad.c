//@ property: valid-memsafety
//@ verdict: false
//@ engines: bmc-incremental portfolio
// As the other, but a byte behind the object is read.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);

struct text {
    void *owner;
    unsigned long length;
    char bytes[];
};

static struct text *make(void *owner, const char *bytes, unsigned long n) {
    struct text *text = malloc(sizeof *text + n + 1);
    text->owner = owner;
    text->length = n;
    memcpy(text->bytes, bytes, n);
    text->bytes[n] = 0;
    return text;
}

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == 0 || n > 1000)
        return 0;
    char *bytes = malloc(n);
    bytes[n - 1] = 'x';
    int owner = 1;
    struct text *text = make(&owner, bytes, n);
    free(bytes);
    int result = text->bytes[n - 1] == 'y' ? *(int *)text->owner : text->bytes[n + 1];
    free(text);
    return result - 1;
}
