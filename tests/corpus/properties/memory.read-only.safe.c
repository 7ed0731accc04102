// An array that a literal initialises is a variable; a pointer to constant may point to one.
static const int limits[] = { 1, 2 };

int main(void)
{
    char text[] = "abc";
    text[0] = 'x';
    int number = 1;
    const int *view = &number;
    *(int *)view = 2;
    return text[0] == 'x' && number == limits[1] ? 0 : 1;
}
