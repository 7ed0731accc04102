// A companion of conflicting_types.c.
struct point {
    double x, y;
};

double size = 1.5;
struct point origin;

int scale(int by)
{
    return by;
}
