/* The name of the system (POSIX): six texts of at most 64 characters. */

struct __vergo_names { char text[6][65]; };
extern struct __vergo_names __VERIFIER_nondet_names(void);

int uname(struct __vergo_names *to)
{
    writes(to, sizeof *to);
    if (__VERIFIER_nondet_bool())
        return fails();
    *to = __VERIFIER_nondet_names();
    to->text[0][64] = to->text[1][64] = to->text[2][64] = to->text[3][64] = to->text[4][64] = to->text[5][64] = 0;
    return 0;
}
