/* Texts of error and signal numbers (C17 7.24.6.2, POSIX): any text of any length, the same for the same number. It ends
   where its object does, so that nothing behind it can be read. */

struct __vergo_message { char text[1024]; };
extern struct __vergo_message __VERIFIER_nondet_message(void);

static struct __vergo_message last;
static int last_number, last_kind, last_length;

/* Any text for a number of a kind. */
static char *message(int kind, int number)
{
    if (last_kind != kind || last_number != number) {
        last = __VERIFIER_nondet_message();
        last.text[1023] = 0;
        last_length = between(0, 1023);
        last_kind = kind;
        last_number = number;
    }
    return last.text + (1023 - last_length);
}

char *strerror(int number)
{
    static char success[] = "Success", error[] = "Error";
    if (__vergo_concrete())
        return number == 0 ? success : error;
    return message(1, number);
}

char *strsignal(int number)
{
    static char signal[] = "Signal";
    return __vergo_concrete() ? signal : message(2, number);
}

/* As much of the message as there is room for. */
static void write_message(int number, char *to, size_t size)
{
    writes(to, size);
    if (size == 0)
        return;
    const char *from = strerror(number);
    size_t i = 0;
    for (; i + 1 < size && from[i] != 0; i++)
        to[i] = from[i];
    to[i] = 0;
}

/* POSIX's: an error number, or zero. */
int __xpg_strerror_r(int number, char *to, size_t size)
{
    write_message(number, to, size);
    return __VERIFIER_nondet_bool() ? 0 : __VERIFIER_nondet_bool() ? 22 : 34;
}

/* The headers of glibc declare GNU's, unless they are asked for POSIX's: the text, there or elsewhere. */
char *strerror_r(int number, char *to, size_t size)
{
    write_message(number, to, size);
    return size == 0 || __VERIFIER_nondet_bool() ? strerror(number) : to;
}
