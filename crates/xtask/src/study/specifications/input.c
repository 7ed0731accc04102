/* What programs of the study are linked with: values from an input, and ends that are told apart. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const unsigned char *input;
static size_t left;

extern int study_main();

#ifdef REPEATED
/* One process runs the program again and again: what it has changed is put back. */
extern char __start_study_data[] __attribute__((weak)), __stop_study_data[] __attribute__((weak));
extern char __start_study_bss[] __attribute__((weak)), __stop_study_bss[] __attribute__((weak));
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));
static char *first_data;
static sigjmp_buf end;
static void quiet(void) { siglongjmp(end, 1); }
#else
static void quiet(void) { _exit(0); }
#endif

/* An end of the program, at which memory has to be freed; what is registered for `exit` is not done. */
extern void __lsan_do_leak_check(void) __attribute__((weak));
static void ended(void)
{
#ifdef REPEATED
    siglongjmp(end, 2);
#else
    if (__lsan_do_leak_check) __lsan_do_leak_check();
    _exit(0);
#endif
}

static void by_signal(int number)
{
    (void)number;
    quiet();
}

/* Null pointers, a stack that is too deep and loops without an end are no findings. */
static void catch_signals(void)
{
    static char stack[1 << 16];
    stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction action = { .sa_handler = by_signal, .sa_flags = SA_ONSTACK | SA_NODEFER };
    sigaltstack(&other, 0);
    sigaction(SIGSEGV, &action, 0);
    sigaction(SIGBUS, &action, 0);
    sigaction(SIGFPE, &action, 0);
    sigaction(SIGVTALRM, &action, 0);
}

static void set_timer(int milliseconds)
{
    struct itimerval timer = { .it_value = { .tv_usec = milliseconds * 1000 } };
    setitimer(ITIMER_VIRTUAL, &timer, 0);
}

void study_abort(void) { ended(); }
void study_exit(int status)
{
    (void)status;
#ifdef REPEATED
    siglongjmp(end, 2);
#else
    exit(0);
#endif
}

/* Of an original program it is another property that speaks of this function. */
void __attribute__((weak)) reach_error(void)
{
#ifdef ORIGINAL
    ended();
#else
    static const char text[] = "reach_error\n";
    (void)!write(2, text, sizeof text - 1);
    __builtin_trap();
#endif
}

void __attribute__((weak)) __VERIFIER_error(void) { ended(); }
void __attribute__((weak)) __VERIFIER_assume(int holds) { if (!holds) quiet(); }
void __attribute__((weak)) __VERIFIER_atomic_begin(void) {}
void __attribute__((weak)) __VERIFIER_atomic_end(void) {}

/* The same bytes are the same values in every data model. */
static uint64_t next(unsigned size)
{
    uint64_t value = 0;
    if (left < size) quiet();
    memcpy(&value, input, size);
    input += size;
    left -= size;
    return value;
}

#define VALUES(name, type, size) type __attribute__((weak)) __VERIFIER_nondet_##name(void) { return (type)next(size); }
VALUES(bool, _Bool, 1)
VALUES(char, char, 1)
VALUES(schar, signed char, 1)
VALUES(uchar, unsigned char, 1)
VALUES(short, short, 2)
VALUES(ushort, unsigned short, 2)
VALUES(int, int, 4)
VALUES(uint, unsigned, 4)
VALUES(unsigned, unsigned, 4)
VALUES(unsigned_int, unsigned, 4)
VALUES(long, long, 8)
VALUES(ulong, unsigned long, 8)
VALUES(longlong, long long, 8)
VALUES(ulonglong, unsigned long long, 8)
VALUES(size_t, size_t, 8)
VALUES(u8, uint8_t, 1)
VALUES(u16, uint16_t, 2)
VALUES(u32, uint32_t, 4)
VALUES(u64, uint64_t, 8)
void *__attribute__((weak)) __VERIFIER_nondet_pointer(void) { return (void *)(uintptr_t)next(8); }
float __attribute__((weak)) __VERIFIER_nondet_float(void)
{
    uint32_t bits = (uint32_t)next(4);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
double __attribute__((weak)) __VERIFIER_nondet_double(void)
{
    uint64_t bits = next(8);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

#ifdef REPEATED
static void put_back(void)
{
    size_t n_data = (size_t)(__stop_study_data - __start_study_data);
    size_t n_bss = (size_t)(__stop_study_bss - __start_study_bss);
    if (!first_data) {
        first_data = malloc(n_data + 1);
        memcpy(first_data, __start_study_data, n_data);
    }
    memcpy(__start_study_data, first_data, n_data);
    memset(__start_study_bss, 0, n_bss);
}

/* Returns whether the program came to its end. */
static int run(const unsigned char *data, size_t size)
{
    static char *arguments[] = { "program", 0 };
    input = data;
    left = size;
    put_back();
    int how = sigsetjmp(end, 1);
    if (!how) {
        set_timer(LIMIT);
        study_main(1, arguments);
    }
    set_timer(0);
    /* What only variables of the program point to is not freed either. */
    put_back();
    return how != 1;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static int is_ready;
    if (!is_ready) catch_signals();
    is_ready = 1;
    if (__lsan_disable) __lsan_disable();
    int is_ended = run(data, size);
    if (__lsan_enable) __lsan_enable();
    /* Memory counts as lost only where the program has ended. */
    if (__lsan_enable && is_ended) run(data, size);
    return 0;
}
#else
int main(int count, char **arguments)
{
    static unsigned char bytes[1 << 16];
    ssize_t n = read(0, bytes, sizeof bytes);
    input = bytes;
    left = n > 0 ? (size_t)n : 0;
    setvbuf(stdout, 0, _IONBF, 0);
    catch_signals();
    set_timer(LIMIT);
    return study_main(count, arguments) & 0;
}
#endif
