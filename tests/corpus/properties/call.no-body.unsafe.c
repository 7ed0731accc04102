// The function is defined in a file that was not given.
int elsewhere(int);

int main(void)
{
    int n = 1;
    return elsewhere(n); //~ call.no-body
}
