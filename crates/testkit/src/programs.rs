//! Programs that several tests use.

/// A program of which nobody finds out within seconds whether it goes wrong.
pub const ENDLESS: &str = "\
unsigned nondet_uint(void); void reach_error(void) {}
int main(void)
{
    unsigned a = nondet_uint(), b = nondet_uint(), n = 0;
    while (nondet_uint()) {
        a = a * b + n;
        n++;
        if (a * a == 3 * b * b + 7 && n > 100000)
            reach_error();
    }
    return 0;
}
";
