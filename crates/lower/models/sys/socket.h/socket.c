/* Sockets (POSIX). What comes is any bytes. */

struct __vergo_vector { void *base; size_t size; };
struct __vergo_header {
    void *name;
    unsigned name_size;
    struct __vergo_vector *vectors;
    size_t n_vectors;
    void *control;
    size_t control_size;
    int flags;
};

/* See unistd.h/descriptors.c. */
extern int __vergo_new_descriptor(int standard);

static int descriptor(void)
{
    return __vergo_concrete() || __VERIFIER_nondet_bool() ? fails() : __vergo_new_descriptor(1);
}

int socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return descriptor();
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    (void)domain, (void)type, (void)protocol;
    writes(ends, 2 * sizeof(int));
    if (__vergo_concrete() || __VERIFIER_nondet_bool())
        return fails();
    ends[0] = __vergo_new_descriptor(1);
    ends[1] = __vergo_new_descriptor(1);
    return 0;
}

int bind(int socket, const void *address, unsigned size)
{
    (void)socket;
    reads(address, size);
    return may_fail();
}

int connect(int socket, const void *address, unsigned size)
{
    (void)socket;
    reads(address, size);
    return may_fail();
}

int listen(int socket, int backlog)
{
    (void)socket, (void)backlog;
    return may_fail();
}

int shutdown(int socket, int how)
{
    (void)socket, (void)how;
    return may_fail();
}

/* An address comes: as much of it as there is room for, and its size. */
static void any_address(void *address, unsigned *size)
{
    if (address == 0)
        return;
    writes(size, sizeof *size);
    unsigned room = *size, full = (unsigned)__VERIFIER_nondet_int();
    fills(address, room);
    __vergo_assume(full <= 128);
    *size = full;
}

int accept(int socket, void *address, unsigned *size)
{
    (void)socket;
    if (address != 0) {
        writes(size, sizeof *size);
        writes(address, *size);
    }
    if (__VERIFIER_nondet_bool())
        return fails();
    any_address(address, size);
    return descriptor();
}

int accept4(int socket, void *address, unsigned *size, int flags)
{
    (void)flags;
    return accept(socket, address, size);
}

static int name(void *address, unsigned *size)
{
    writes(size, sizeof *size);
    writes(address, *size);
    if (__VERIFIER_nondet_bool())
        return fails();
    any_address(address, size);
    return 0;
}

int getsockname(int socket, void *address, unsigned *size)
{
    (void)socket;
    return name(address, size);
}

int getpeername(int socket, void *address, unsigned *size)
{
    (void)socket;
    return name(address, size);
}

int setsockopt(int socket, int level, int option, const void *value, unsigned size)
{
    (void)socket, (void)level, (void)option;
    reads(value, size);
    return may_fail();
}

int getsockopt(int socket, int level, int option, void *value, unsigned *size)
{
    (void)socket, (void)level, (void)option;
    writes(size, sizeof *size);
    unsigned room = *size, used = (unsigned)__VERIFIER_nondet_int();
    writes(value, room);
    if (__VERIFIER_nondet_bool())
        return fails();
    fills(value, room);
    __vergo_assume(used <= room);
    *size = used;
    return 0;
}

static ssize_t sent(size_t n)
{
    ssize_t r = __VERIFIER_nondet_long();
    __vergo_assume(r >= -1 && (r == -1 || (size_t)r <= n));
    if (r < 0)
        fails();
    return r;
}

ssize_t recv(int socket, void *to, size_t n, int flags)
{
    (void)socket, (void)flags;
    writes(to, n);
    ssize_t r = __vergo_read(-1, to, n);
    return r < 0 ? fails() : r;
}

ssize_t recvfrom(int socket, void *to, size_t n, int flags, void *address, unsigned *size)
{
    if (address != 0) {
        writes(size, sizeof *size);
        writes(address, *size);
    }
    ssize_t r = recv(socket, to, n, flags);
    if (r >= 0)
        any_address(address, size);
    return r;
}

ssize_t recvmsg(int socket, struct __vergo_header *message, int flags)
{
    writes(message, sizeof *message);
    (void)socket;
    for (size_t i = 0; i < message->n_vectors; i++)
        writes(message->vectors[i].base, message->vectors[i].size);
    if (message->name != 0)
        fills(message->name, message->name_size);
    if (message->control != 0)
        fills(message->control, message->control_size);
    message->flags = __VERIFIER_nondet_int() | flags;
    size_t total = 0;
    for (size_t i = 0; i < message->n_vectors; i++) {
        fills(message->vectors[i].base, message->vectors[i].size);
        total += message->vectors[i].size;
    }
    return sent(total);
}

ssize_t send(int socket, const void *from, size_t n, int flags)
{
    (void)socket, (void)flags;
    reads(from, n);
    return sent(n);
}

ssize_t sendto(int socket, const void *from, size_t n, int flags, const void *address, unsigned size)
{
    if (address != 0)
        reads(address, size);
    return send(socket, from, n, flags);
}

ssize_t sendmsg(int socket, const struct __vergo_header *message, int flags)
{
    __vergo_copies(message, sizeof *message);
    (void)socket, (void)flags;
    size_t total = 0;
    if (message->name != 0)
        reads(message->name, message->name_size);
    if (message->control != 0)
        reads(message->control, message->control_size);
    for (size_t i = 0; i < message->n_vectors; i++) {
        reads(message->vectors[i].base, message->vectors[i].size);
        total += message->vectors[i].size;
    }
    return sent(total);
}
