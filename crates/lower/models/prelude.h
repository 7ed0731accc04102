typedef __typeof__(sizeof 0) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
typedef ptrdiff_t ssize_t;
typedef __builtin_va_list va_list;
extern void *__vergo_alloc(size_t);
extern void *__vergo_alloc_zeroed(size_t);
extern void __vergo_free(void *);
extern void __vergo_exit(int);
extern void __vergo_exit_with_handlers(int);
extern void __vergo_abort(void);
extern void __vergo_assume(int);
/* An assumption, in an atomic section that begins with it, for which a thread waits; the text says what it means that it waits for ever. */
extern void __vergo_await(int, const char *);
/* Whether a property is claimed of the program. */
extern int __vergo_checks(const char *);
extern void __vergo_unsupported(const char *);
extern void __vergo_approximation(const char *);
extern void __vergo_atomic_begin(void);
extern void __vergo_atomic_end(void);
extern size_t __vergo_object_size(const void *);
extern ptrdiff_t __vergo_offset(const void *);
extern _Bool __vergo_is_live(const void *);
extern _Bool __vergo_is_heap(const void *);
extern _Bool __vergo_is_writable(const void *);
extern _Bool __vergo_has_object(const void *);
extern int __vergo_malloc_may_fail(void);
extern long long __vergo_choice(long long, long long, long long);
extern void *__vergo_va_cursor(va_list);
extern int __vergo_concrete(void);
/* Obligations: that many bytes are read, copied (they may be without values) or written there. Claims of the properties of
   memory are made of them; nothing happens. */
extern void __vergo_reads(const void *, size_t);
extern void __vergo_copies(const void *, size_t);
extern void __vergo_writes(void *, size_t);
/* How many bytes reading a text touches, its end included, or so many characters without it; what is missing counts one. */
extern size_t __vergo_text_size(const char *, size_t);
extern _Bool __vergo_text_ends(const char *);
extern void __vergo_claim(int, const char *, const char *);
extern ssize_t __vergo_write(int, const void *, size_t);
extern ssize_t __vergo_read(int, void *, size_t);
extern int __vergo_print(int, const char *, void *);
extern int __vergo_print_to(char *, size_t, const char *, void *);
extern int __vergo_scan(int, const char *, void *);
extern int __vergo_scan_from(const char *, const char *, void *);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern long double __VERIFIER_nondet_longdouble(void);
extern int *__errno_location(void);
struct __vergo_file { int descriptor; int eof; int error; int pushed; int boundary; long place; };
typedef struct __vergo_file FILE;
/* The descriptor of a stream that is used. One of the standard streams that was closed has none; the others are gone. */
static int of_stream(FILE *file)
{
    int descriptor = file->descriptor;
    __vergo_claim(descriptor >= 0, "memory.lifetime", "the stream is closed");
    return descriptor;
}
/* The same of a stream that is read or written, so that its place in the file (-1 where it is not known) is another one. */
static int of_moving_stream(FILE *file)
{
    int descriptor = of_stream(file);
    if (file->place >= 0)
        file->place = -1;
    return descriptor;
}
/* That a block is somewhere, also one of no bytes (C17 7.24.1p2, 7.22.5p1). */
static void somewhere(const void *block, size_t n)
{
    __vergo_claim(n != 0 || block != 0, "call.nonnull", "null is no block, not even one of no bytes");
}
/* What `__vergo_choice` chooses: any value, and the same for the same name and arguments. */
enum __vergo_choices {
    CHOICE_CLASS = 1,
    CHOICE_CASE,
    CHOICE_ORDER,
    CHOICE_RANDOM,
    CHOICE_RANDOM_NEXT,
    CHOICE_IDENTITY,
    CHOICE_ZONE,
    CHOICE_TERMINAL,
    CHOICE_LIMIT,
    CHOICE_LENGTH,
    /* Of mathematical functions: the sign of what is no number. */
    CHOICE_ACOS,
    CHOICE_ACOSH,
    CHOICE_ASIN,
    CHOICE_ATANH,
    CHOICE_COS,
    CHOICE_LOG,
    CHOICE_LOG10,
    CHOICE_LOG1P,
    CHOICE_LOG2,
    CHOICE_POW,
    CHOICE_SIN,
    CHOICE_TAN,
    CHOICE_TGAMMA,
};
/* -1, with any error number: a system may have others than POSIX names (XSH 2.3). */
static int fails(void)
{
    int number = __vergo_concrete() ? 5 : __VERIFIER_nondet_int();
    __vergo_assume(number > 0 && number < 134);
    *__errno_location() = number;
    return -1;
}
/* Zero, or -1 with an error number. */
static int may_fail(void)
{
    return __VERIFIER_nondet_bool() ? fails() : 0;
}
/* Whether a resource is missing, where `malloc` may fail too. */
static int is_missing(void)
{
    return __vergo_malloc_may_fail() && !__vergo_concrete() && __VERIFIER_nondet_bool();
}
/* Any number of a range. */
static int between(int low, int high)
{
    int r = __vergo_concrete() ? low : __VERIFIER_nondet_int();
    __vergo_assume(r >= low && r <= high);
    return r;
}
/* A block that is read has to be there. */
static void reads(const void *from, size_t n)
{
    __vergo_reads(from, n);
}
/* A block that may be written has to be there and to be writable. */
static void writes(void *to, size_t n)
{
    __vergo_writes(to, n);
}
/* A string that is read has to be there up to its end. */
static void reads_text(const char *s)
{
    __vergo_reads(s, __vergo_text_size(s, (size_t)-1 >> 1));
}
/* An argument that the standard calls a string is one, with an end inside of its object, also where a function stops before it
   (C17 7.1.4p1, 7.24). */
static void takes_text(const char *s)
{
    __vergo_reads(s, 1);
    __vergo_claim(__vergo_text_ends(s), "memory.bounds", "the text does not end inside of its object");
}
/* A character of a text that was taken. It ends inside of its object, so that nobody asks for what lies behind; that no read goes
   there need not be shown for each. */
static char text_at(const char *s)
{
    ptrdiff_t at = __vergo_offset(s);
    return __vergo_is_live(s) && 0 <= at && (size_t)at < __vergo_object_size(s) ? *s : 0;
}
/* Any bytes are written; zeros in a run. */
static void fills(void *to, size_t n)
{
    writes(to, n);
    if (__vergo_concrete()) {
        for (size_t i = 0; i < n; i++)
            ((char *)to)[i] = 0;
    } else if (n > 0 && __vergo_read(-1, to, n) != (ssize_t)n)
        __vergo_assume(0);
}
