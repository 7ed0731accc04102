//@ test dump --at ast
char *s = "open;
char c = ';
int x = 0x;
/* never closed
