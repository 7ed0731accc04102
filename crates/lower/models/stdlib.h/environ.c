/* The environment as a list (POSIX). The start of the program makes it: any number of any texts. */

char **environ;
char **__environ;
