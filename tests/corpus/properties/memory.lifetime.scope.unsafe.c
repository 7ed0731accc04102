// The variable's block has been left.
static int *found;

static void search(int wanted)
{
    int values[] = { 5, 7, 9 };
    for (int i = 0; i < 3; i++)
        if (values[i] == wanted)
            found = &values[i];
}

int main(void)
{
    search(7);
    return *found; //~ memory.lifetime
}
