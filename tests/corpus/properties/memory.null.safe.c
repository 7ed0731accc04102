// Null is tested before it is followed, and neither `&*p` nor `sizeof *p` follows it.
struct node {
    int value;
    struct node *next;
};

static int total(const struct node *list)
{
    return list ? list->value + total(list->next) : 0;
}

int main(void)
{
    struct node second = { 2, 0 }, first = { 1, &second };
    struct node *none = 0;
    struct node *same = &*none;
    return total(&first) == 3 && total(none) == 0 && same == none && sizeof *none == sizeof first ? 0 : 1;
}
