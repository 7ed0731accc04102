// Every access is aligned for its type: bytes anywhere, words at multiples of four, members of packed structures through
// their structure.
struct __attribute__((packed)) message {
    char kind;
    int length;
};

int main(void)
{
    int words[2] = { 0x01020304, 0x05060708 };
    char *bytes = (char *)words;
    int second = *(int *)(bytes + 4);
    struct message message = { 'a', 77 };
    struct message *pointer = &message;
    return bytes[1] == 3 && second == 0x05060708 && pointer->length == 77 ? 0 : 1;
}
