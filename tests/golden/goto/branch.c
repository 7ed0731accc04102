//@ test goto
//@ test goto --pass instrument
int divide(int a, int b)
{
    if (b < 0 && a)
        b = -b;
    return a / b;
}

int main(void) { return divide(7, 2); }
