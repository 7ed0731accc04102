// The search may find nothing.
struct entry {
    int key, value;
};

static struct entry *find(struct entry *entries, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (entries[i].key == key)
            return &entries[i];
    return 0;
}

int main(void)
{
    struct entry entries[] = { { 1, 10 }, { 2, 20 } };
    int value = find(entries, 2, 2)->value;
    return value + find(entries, 2, 3)->value; //~ memory.null
}
