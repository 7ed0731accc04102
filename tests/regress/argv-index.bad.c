//@ check
//@ verdict false(memory.bounds)
int main(int argc, char **argv)
{
    return argv[argc + 1] != 0;
}
