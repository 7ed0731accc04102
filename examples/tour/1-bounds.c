/* Lesson 1: a mistake comes with the inputs that show it.
   vergo check 1-bounds.c
   The loop runs once too often. Vergo names the index and the steps that lead there. */
extern int nondet_int(void);

int main(void)
{
    int table[8];
    int n = nondet_int();
    if (n < 0 || n > 8)
        return 0;
    for (int i = 0; i <= n; i++)
        table[i] = i * i;
    return table[0];
}
