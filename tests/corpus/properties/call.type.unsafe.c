// A comparison function of the wrong type goes through a cast.
typedef int (*comparison)(const void *, const void *);

static double distance(double a, double b)
{
    return a - b;
}

static int compare(comparison by, const void *a, const void *b)
{
    return by(a, b); //~ call.type
}

int main(void)
{
    int a = 1, b = 2;
    return compare((comparison)distance, &a, &b);
}
