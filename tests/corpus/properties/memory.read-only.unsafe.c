// The text of a literal must not be changed.
static void capitalize(char *text)
{
    text[0] -= 'a' - 'A'; //~ memory.read-only
}

int main(void)
{
    char own[] = "own";
    capitalize(own);
    char *text = "shared";
    capitalize(text);
    return 0;
}
