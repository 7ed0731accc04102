//@ check
//@ verdict false(memory.bounds)
//@ check --property memory.bounds
//@ verdict false(memory.bounds)
int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    return argv[1][5];
}
