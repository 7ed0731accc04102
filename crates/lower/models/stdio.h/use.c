/* Uses of streams by calls that do not come here: formatted output with a literal format. */

extern FILE *stdout;

void __vergo_use_stream(FILE *file)
{
    of_moving_stream(file);
}

void __vergo_use_stdout(void)
{
    of_moving_stream(stdout);
}
