//@ test check --engine bmc-incremental
//@ test check --engine bmc-incremental --violations first --trace full
void *malloc(unsigned long);
void free(void *);
int nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);
    struct node filled = { value, list };
    *n = filled;
    return n;
}

int main(void)
{
    struct node *list = 0;
    int unrelated = 1;
    for (int i = 0; i < 2; i++)
        list = push(list, nondet_int());
    unrelated += 2;
    if (list->next->value == 42)
        free(list);
    list->value = 0;
    free(list->next);
    free(list);
    return unrelated - 3;
}
