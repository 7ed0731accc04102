//@ check
//@ verdict false(memory.read-only)
//@ check --property memory.read-only
//@ verdict false(memory.read-only)
int main(void)
{
    const int *p = &(const int){1};
    *(int *)p = 2;
    return *p;
}
