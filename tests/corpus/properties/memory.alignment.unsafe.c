// A number is read from the middle of a buffer in which it does not stand at a multiple of its size.
static int buffer[4];

static int read_int(const char *at)
{
    return *(const int *)at; //~ memory.alignment
}

int main(void)
{
    const char *bytes = (const char *)buffer;
    return read_int(bytes + 4) == 0 ? read_int(bytes + 1) : 1;
}
