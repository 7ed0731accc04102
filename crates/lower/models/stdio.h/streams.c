/* The three standard streams (C17 7.21.1). */

static FILE input = { 0, 0, 0, -1, 0, -1 }, output = { 1, 0, 0, -1, 0, -1 }, errors = { 2, 0, 0, -1, 0, -1 };
FILE *stdin = &input;
FILE *stdout = &output;
FILE *stderr = &errors;
FILE *__stdinp = &input;
FILE *__stdoutp = &output;
FILE *__stderrp = &errors;
