//@ test run other_types.c
// The files disagree on a variable, a function and a structure.
struct point {
    int x, y;
};

extern int size;
extern long scale(int, int);
extern struct point origin;

int main(void)
{
    return size + (int)scale(1, 2) + origin.x;
}
