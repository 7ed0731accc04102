/* Options of the command line (POSIX). Arguments are not moved: options end at the first argument that is none. */

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* Where in an argument with several options the next one is; zero at its start. */
static int inside;

int getopt(int argc, char *const argv[], const char *options)
{
    takes_text(options);
    if (optind == 0) {
        optind = 1;
        inside = 0;
    }
    optarg = 0;
    if (inside == 0) {
        if (optind >= argc || argv[optind] == 0 || argv[optind][0] != '-' || argv[optind][1] == 0)
            return -1;
        if (argv[optind][1] == '-' && argv[optind][2] == 0) {
            optind++;
            return -1;
        }
        inside = 1;
    }
    char *argument = argv[optind], c = argument[inside++];
    const char *known = options;
    while (*known != 0 && (*known != c || c == ':'))
        known++;
    int at_end = argument[inside] == 0;
    if (*known == 0) {
        optopt = (unsigned char)c;
        if (at_end) {
            optind++;
            inside = 0;
        }
        return '?';
    }
    if (known[1] != ':') {
        if (at_end) {
            optind++;
            inside = 0;
        }
        return (unsigned char)c;
    }
    char *value = argument + inside;
    optind++;
    inside = 0;
    if (!at_end || known[2] == ':') {
        optarg = at_end ? 0 : value;
        return (unsigned char)c;
    }
    if (optind >= argc) {
        optopt = (unsigned char)c;
        return options[0] == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
    return (unsigned char)c;
}
