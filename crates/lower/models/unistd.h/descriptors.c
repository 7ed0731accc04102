/* Descriptors of open files (POSIX): a new one is any that is not in use. Those that the program has opened are remembered; what
   it was started with is not known. */

static int in_use[8];
static unsigned n_in_use;
/* The standard descriptors that the program has closed. */
static unsigned closed;

static void take(int descriptor)
{
    if (n_in_use < 8)
        in_use[n_in_use++] = descriptor;
    else
        __vergo_approximation("more than 8 open files");
}

/* A new descriptor. A standard one comes if `standard` allows it, or if the program has closed it. */
int __vergo_new_descriptor(int standard)
{
    int r = __VERIFIER_nondet_int();
    __vergo_assume(r > 2 || (r >= 0 && (standard || (closed >> r & 1) != 0)));
    for (unsigned i = 0; i < n_in_use; i++)
        __vergo_assume(r != in_use[i]);
    take(r);
    return r;
}

void __vergo_release_descriptor(int descriptor)
{
    if (descriptor >= 0 && descriptor <= 2)
        closed |= 1u << descriptor;
    for (unsigned i = 0; i < n_in_use; i++)
        if (in_use[i] == descriptor) {
            in_use[i] = in_use[--n_in_use];
            return;
        }
}

/* A descriptor that the program has chosen is in use from now on. */
void __vergo_hold_descriptor(int descriptor)
{
    __vergo_release_descriptor(descriptor);
    take(descriptor);
}
