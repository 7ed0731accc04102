/* Names and addresses of hosts (POSIX). A list of at most two answers, or an error. */

extern void *malloc(size_t);
extern void free(void *);

struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    unsigned ai_addrlen;
    void *ai_addr;
    char *ai_canonname;
    struct addrinfo *ai_next;
};
struct __vergo_address { char bytes[28]; };
extern struct __vergo_address __VERIFIER_nondet_address(void);

static struct addrinfo *answer(const struct addrinfo *hints)
{
    struct addrinfo *r = malloc(sizeof *r);
    struct __vergo_address *address = malloc(sizeof *address);
    if (r == 0 || address == 0) {
        free(r);
        free(address);
        return 0;
    }
    *address = __VERIFIER_nondet_address();
    r->ai_flags = hints != 0 ? hints->ai_flags : __VERIFIER_nondet_int();
    r->ai_family = hints != 0 && hints->ai_family != 0 ? hints->ai_family : __VERIFIER_nondet_bool() ? 2 : 10;
    r->ai_socktype = hints != 0 && hints->ai_socktype != 0 ? hints->ai_socktype : __VERIFIER_nondet_int();
    r->ai_protocol = hints != 0 && hints->ai_protocol != 0 ? hints->ai_protocol : __VERIFIER_nondet_int();
    r->ai_addrlen = r->ai_family == 2 ? 16 : 28;
    r->ai_addr = address;
    r->ai_canonname = 0;
    r->ai_next = 0;
    return r;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **to)
{
    if (hints != 0)
        __vergo_copies(hints, sizeof *hints);
    if (node != 0)
        reads_text(node);
    if (service != 0)
        reads_text(service);
    writes(to, sizeof *to);
    if ((node == 0 && service == 0) || __VERIFIER_nondet_bool()) {
        int error = __VERIFIER_nondet_int();
        __vergo_assume(error != 0);
        return error;
    }
    struct addrinfo *first = answer(hints);
    if (first == 0)
        return -10;
    if (__VERIFIER_nondet_bool())
        first->ai_next = answer(hints);
    if (hints != 0 && (hints->ai_flags & 2) != 0)
        __vergo_unsupported("the canonical name of a host");
    *to = first;
    return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
    while (list != 0) {
        struct addrinfo *next = list->ai_next;
        free(list->ai_addr);
        free(list);
        list = next;
    }
}

struct __vergo_message { char text[256]; };
extern struct __vergo_message __VERIFIER_nondet_message(void);

const char *gai_strerror(int number)
{
    static struct __vergo_message text;
    static int last, length;
    if (last != number) {
        last = number;
        text = __VERIFIER_nondet_message();
        text.text[255] = 0;
        length = between(0, 255);
    }
    return text.text + (255 - length);
}
