//@ test dump --at tokens
int a = 0x1Fu + 017 + 0b101LL + 1'000 + 42ul;
double d = 1.5e-3 + 0x1.8p3f + .5L + 1.i;
char c = '\n', w = L'\x41', m = 'ab';
const char *s = "one" "tw\157" u8"three";
const int *wide = L"four";
int x<:2:> = <% 1, 2 %>;
int spl\
iced = 1; // to the end \
of the next line
