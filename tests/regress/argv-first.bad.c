//@ check
//@ verdict false(memory.null)
int main(int argc, char **argv)
{
    return argv[1][0];
}
