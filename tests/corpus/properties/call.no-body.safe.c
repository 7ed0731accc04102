// Functions that are declared only: with a model, never called, or weak and tested.
unsigned long strlen(const char *);
int never_called(int);
int optional(int) __attribute__((weak));

int main(void)
{
    int n = optional ? optional(1) : 2;
    if (n > 2)
        n = never_called(n);
    return strlen("four") == 4 && n == 2 ? 0 : 1;
}
