/* A first program: the largest of three numbers, with something to look at in each stage. */
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

struct triple {
    short first;
    long second;
    unsigned third : 12;
};

static long largest(struct triple t)
{
    long most = LARGER(t.first, t.second);
    return LARGER(most, t.third);
}

int main(void)
{
    struct triple t = { .first = 3, .second = -1, .third = 0xfff };
    return largest(t) == 4095 ? 0 : 1;
}
