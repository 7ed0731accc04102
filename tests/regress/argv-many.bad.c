//@ check
//@ verdict false
int main(int argc, char **argv)
{
    char *kept[3];
    for (int i = 0; i < argc; i++)
        kept[i] = argv[i];
    return kept[0] == 0;
}
