//@ test dump --at types
unsigned char c;
short s;
unsigned u;
long l;
float f;
int *p, a[10];
struct pair { int x; char y; } q;

long sum(void)
{
    c += s;
    u = c + s;
    l = u * l - (p - a);
    f = l ? f : 1;
    p = &a[u];
    q.x = q.y << 3;
    return c == u && (p || !*p) ? sizeof a : -1;
}
