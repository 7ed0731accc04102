//@ check --property unreach-call --data-model LP64
//@ verdict false(unreach-call)
/* A `va_list` is an array of one structure on x86-64: what preprocessors of others make of it. */
struct __va_list_tag;
typedef struct __va_list_tag __va_list_tag;
typedef __builtin_va_list __gnuc_va_list[1U];
typedef __gnuc_va_list va_list[1U];
void reach_error(void);
static int second(int n, ...) {
    va_list args;
    __builtin_va_list plain;
    int first, second;
    __builtin_va_start((__va_list_tag *)(&args), n);
    __builtin_va_end((__va_list_tag *)(&args));
    __builtin_va_start((__va_list_tag *)(&plain), n);
    first = __builtin_va_arg(plain, int);
    second = __builtin_va_arg(plain, int);
    __builtin_va_end((__va_list_tag *)(&plain));
    return first + second;
}
int main(void) {
    if (second(2, 3, 4) == 7) reach_error();
    return 0;
}
