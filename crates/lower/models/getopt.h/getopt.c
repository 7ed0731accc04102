/* Options of the command line (POSIX, GNU). By POSIX options end at the first argument that is none; by GNU's they may stand behind
   it, and the arguments are put in order while they are read, unless the list of options begins with `+`. Either is possible;
   runs do as GNU's. */

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* Where in an argument with several options the next one is; zero at its start. */
static int inside;
/* Arguments from `first` to `last` are no options and have been passed by. */
static int first, last, is_started, permutes;

static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != 0;
}

/* Puts what lies between `last` and `optind` before the arguments that were passed by. */
static void put_in_order(char **argv)
{
    int moved = optind - last;
    for (int i = 0; i < moved; i++) {
        char *option = argv[last + i];
        for (int j = last + i; j > first + i; j--)
            argv[j] = argv[j - 1];
        argv[first + i] = option;
    }
    first += moved;
    last = optind;
}

/* Finds the next argument with options; whether there is one. */
static int advance(int argc, char **argv)
{
    if (last > optind)
        last = optind;
    if (first > optind)
        first = optind;
    if (permutes) {
        if (first != last && last != optind)
            put_in_order(argv);
        else if (last != optind)
            first = optind;
        while (optind < argc && argv[optind] != 0 && !is_option(argv[optind]))
            optind++;
        last = optind;
    }
    if (optind < argc && argv[optind] != 0 && argv[optind][0] == '-' && argv[optind][1] == '-' && argv[optind][2] == 0) {
        optind++;
        if (permutes) {
            if (first != last && last != optind)
                put_in_order(argv);
            else if (first == last)
                first = optind;
            optind = first != last ? first : optind;
        }
        return 0;
    }
    if (optind >= argc || argv[optind] == 0) {
        if (permutes && first != last)
            optind = first;
        return 0;
    }
    return is_option(argv[optind]);
}

int getopt(int argc, char *const argv[], const char *options)
{
    reads(argv, sizeof *argv);
    takes_text(options);
    if (optind == 0 || !is_started) {
        optind = optind == 0 ? 1 : optind;
        first = last = optind;
        inside = 0;
        is_started = 1;
        permutes = options[0] != '+' && (__vergo_concrete() || __VERIFIER_nondet_bool());
    }
    if (options[0] == '-')
        __vergo_unsupported("options of `getopt` that begin with a dash");
    if (options[0] == '+')
        options++;
    optarg = 0;
    if (inside == 0) {
        if (!advance(argc, (char **)argv))
            return -1;
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
