/* Lesson 2: without the mistake there is a proof, for all inputs.
   vergo check 2-proof.c
   `RESULT: true` is said only after a checker of its own has accepted the proof. */
extern int nondet_int(void);

int main(void)
{
    int table[8];
    int n = nondet_int();
    if (n < 0 || n > 8)
        return 0;
    for (int i = 0; i < n; i++)
        table[i] = i * i;
    return 0;
}
