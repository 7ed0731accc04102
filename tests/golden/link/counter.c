// A companion of three_files.c.
int shared;
static int count;

static int step(void)
{
    return ++count;
}

int next(void)
{
    shared++;
    return step() * 10;
}
