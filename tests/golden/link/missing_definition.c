//@ test run counter.c
// `next` is in the other file, `elsewhere` in none.
extern int next(void);
extern int elsewhere(int);

int main(void)
{
    int n = next();
    return elsewhere(n);
}
