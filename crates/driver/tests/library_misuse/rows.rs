//! The calls of the table: a declaration, and a statement with roles.

use super::Row;

/// Calls of every function that has a pointer among its arguments.
pub(super) const ROWS: &[Row] = &[
    // <string.h>
    ("void *memcpy(void *, const void *, size_t);", "memcpy($w4, $r4, n)"),
    ("void *memcpy(void *, const void *, size_t);", "memcpy($w4, $r4, 4)"),
    ("void *mempcpy(void *, const void *, size_t);", "mempcpy($w4, $r4, 4)"),
    ("void *memmove(void *, const void *, size_t);", "memmove($w4, $r4, n)"),
    ("void *memmove(void *, const void *, size_t);", "memmove($w4, $r4, 4)"),
    ("void *memset(void *, int, size_t);", "memset($w4, 1, n)"),
    ("void *memset(void *, int, size_t);", "memset($w4, 0, 4)"),
    ("int memcmp(const void *, const void *, size_t);", "memcmp($r4, $r4, 4)"),
    ("int bcmp(const void *, const void *, size_t);", "bcmp($r4, $r4, 4)"),
    ("void bcopy(const void *, void *, size_t);", "bcopy($r4, $w4, 4)"),
    ("void bzero(void *, size_t);", "bzero($w4, 4)"),
    ("void explicit_bzero(void *, size_t);", "explicit_bzero($w4, 4)"),
    ("void *memchr(const void *, int, size_t);", "memchr($r4, 9, 4)"),
    ("void *memrchr(const void *, int, size_t);", "memrchr($r4, 9, 4)"),
    ("void *memccpy(void *, const void *, int, size_t);", "memccpy($w4, $r4, 9, 4)"),
    ("void *memmem(const void *, size_t, const void *, size_t);", "memmem($r4, 4, $r2, 2)"),
    ("void swab(const void *, void *, long);", "swab($r4, $w4, 4)"),
    ("char *strcpy(char *, const char *);", "strcpy($w4, $s)"),
    ("char *stpcpy(char *, const char *);", "stpcpy($w4, $s)"),
    ("char *strncpy(char *, const char *, size_t);", "strncpy($w6, $s, 6)"),
    ("char *stpncpy(char *, const char *, size_t);", "stpncpy($w6, $s, 6)"),
    ("char *strcat(char *, const char *);", "strcat($t8, $s)"),
    ("char *strncat(char *, const char *, size_t);", "strncat($t8, $s, 9)"),
    ("size_t strlcpy(char *, const char *, size_t);", "strlcpy($w4, $s, 4)"),
    ("size_t strlcat(char *, const char *, size_t);", "strlcat($t7, $s, 8)"),
    ("size_t strlen(const char *);", "strlen($s)"),
    ("size_t strnlen(const char *, size_t);", "strnlen($s, 9)"),
    ("int strcmp(const char *, const char *);", "strcmp($s, $s)"),
    ("int strcoll(const char *, const char *);", "strcoll($s, $s)"),
    ("int strncmp(const char *, const char *, size_t);", "strncmp($s, $s, 9)"),
    ("int strcasecmp(const char *, const char *);", "strcasecmp($s, $s)"),
    ("int strncasecmp(const char *, const char *, size_t);", "strncasecmp($s, $s, 9)"),
    ("size_t strxfrm(char *, const char *, size_t);", "strxfrm($w4, $s, 4)"),
    ("char *strchr(const char *, int);", "strchr($s, 'x')"),
    ("char *strrchr(const char *, int);", "strrchr($s, 'x')"),
    ("char *index(const char *, int);", "index($s, 'x')"),
    ("char *rindex(const char *, int);", "rindex($s, 'x')"),
    ("char *strchrnul(const char *, int);", "strchrnul($s, 'x')"),
    ("size_t strspn(const char *, const char *);", "strspn($s, \"123\")"),
    ("size_t strspn(const char *, const char *);", "strspn(\"3\", $s)"),
    ("size_t strcspn(const char *, const char *);", "strcspn($s, \"xyz\")"),
    ("size_t strcspn(const char *, const char *);", "strcspn(\"xyz\", $s)"),
    ("char *strpbrk(const char *, const char *);", "strpbrk($s, \"xyz\")"),
    ("char *strpbrk(const char *, const char *);", "strpbrk(\"xyz\", $s)"),
    ("char *strstr(const char *, const char *);", "strstr($s, \"x\")"),
    ("char *strstr(const char *, const char *);", "strstr(\"1212\", $s)"),
    ("char *strcasestr(const char *, const char *);", "strcasestr($s, \"x\")"),
    ("char *strcasestr(const char *, const char *);", "strcasestr(\"1212\", $s)"),
    ("char *strtok_r(char *, const char *, char **);", "strtok_r($?t4, \"2b\", $w8)"),
    ("char *strdup(const char *);", "free(strdup($s))"),
    ("char *strndup(const char *, size_t);", "free(strndup($s, 9))"),
    // The checked variants.
    ("void *__memcpy_chk(void *, const void *, size_t, size_t);", "__memcpy_chk($w4, $r4, 4, 99)"),
    ("void *__memset_chk(void *, int, size_t, size_t);", "__memset_chk($w4, 0, 4, 99)"),
    ("char *__strcpy_chk(char *, const char *, size_t);", "__strcpy_chk($w4, $s, 99)"),
    ("char *__strcat_chk(char *, const char *, size_t);", "__strcat_chk($t8, $s, 99)"),
    ("char *__strncpy_chk(char *, const char *, size_t, size_t);", "__strncpy_chk($w4, $s, 4, 99)"),
    // <wchar.h>
    ("size_t wcslen(const int *);", "wcslen($r4)"),
    ("int *wmemset(int *, int, size_t);", "wmemset($w8, 1, 2)"),
    ("int *wmemcpy(int *, const int *, size_t);", "wmemcpy($w8, $r8, 2)"),
    // <stdio.h>
    ("int puts(const char *);", "puts($s)"),
    ("int fputs(const char *, FILE *);", "fputs($s, $f)"),
    ("int fputc(int, FILE *);", "fputc('a', $f)"),
    ("int putc(int, FILE *);", "putc('a', $f)"),
    ("size_t fwrite(const void *, size_t, size_t, FILE *);", "fwrite($r4, 2, 2, $f)"),
    ("int fflush(FILE *);", "fflush($?f)"),
    ("void perror(const char *);", "perror($?s)"),
    ("int fgetc(FILE *);", "fgetc($f)"),
    ("int ungetc(int, FILE *);", "ungetc('a', $f)"),
    ("char *fgets(char *, int, FILE *);", "fgets($w4, 4, $f)"),
    ("size_t fread(void *, size_t, size_t, FILE *);", "fread($w4, 2, 2, $f)"),
    ("int printf(const char *, ...);", "printf($s)"),
    ("int printf(const char *, ...);", "printf(\"%d %s\\n\", 1, $s)"),
    ("int printf(const char *, ...);", "printf(\"%.*s\\n\", 9, $s)"),
    ("int printf(const char *, ...);", "printf(\"ab%n\\n\", $w4)"),
    ("int printf(const char *, ...);", "printf(\"ab%hhn%lln\\n\", $w1, $w8)"),
    ("int fprintf(FILE *, const char *, ...);", "fprintf($f, \"%s\", $s)"),
    ("int fprintf(FILE *, const char *, ...);", "fprintf($f, $s)"),
    ("int dprintf(int, const char *, ...);", "dprintf(1, $s)"),
    ("int dprintf(int, const char *, ...);", "dprintf(1, \"%s\", $s)"),
    ("int sprintf(char *, const char *, ...);", "sprintf($w4, \"%s\", $s)"),
    ("int sprintf(char *, const char *, ...);", "sprintf($w6, \"%d\", 12345)"),
    ("int sprintf(char *, const char *, ...);", "sprintf($w4, $s)"),
    ("int sprintf(char *, const char *, ...);", "sprintf($w6, \"%.2f\", 12.25)"),
    ("int snprintf(char *, size_t, const char *, ...);", "snprintf($w3, 3, \"%s\", $s)"),
    ("int snprintf(char *, size_t, const char *, ...);", "snprintf($w3, 3, $s)"),
    (
        "int __sprintf_chk(char *, int, size_t, const char *, ...);",
        "__sprintf_chk($w4, 0, 99, \"%s\", $s)",
    ),
    (
        "int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);",
        "__snprintf_chk($w3, 3, 0, 99, \"%s\", $s)",
    ),
    ("int __printf_chk(int, const char *, ...);", "__printf_chk(0, \"%s\", $s)"),
    ("int __fprintf_chk(FILE *, int, const char *, ...);", "__fprintf_chk($f, 0, \"%s\", $s)"),
    (VPRINT, "list(0, 0, 0, $s)"),
    (VPRINT, "list(0, 0, 0, \"%s\", $s)"),
    (VPRINT, "list(1, $w4, 0, \"%s\", $s)"),
    (VPRINT, "list(2, $w3, 3, \"%s\", $s)"),
    (VPRINT, "list(2, $w3, 3, \"%d%n\", 1234, $w4)"),
    ("int sscanf(const char *, const char *, ...);", "sscanf($s, \"%d\", &number)"),
    ("int sscanf(const char *, const char *, ...);", "sscanf(\"12 ab\", \"%d %s\", $w4, $w3)"),
    ("int scanf(const char *, ...);", "scanf(\"%d\", $w4)"),
    ("FILE *fopen(const char *, const char *);", "keep(fopen($s, $s))"),
    ("FILE *fdopen(int, const char *);", "keep(fdopen(5, $s))"),
    ("FILE *freopen(const char *, const char *, FILE *);", "freopen($?s, $s, $f)"),
    ("int feof(FILE *);", "feof($f)"),
    ("int ferror(FILE *);", "ferror($f)"),
    ("void clearerr(FILE *);", "clearerr($f)"),
    ("int fileno(FILE *);", "fileno($f)"),
    ("int fseek(FILE *, long, int);", "fseek($f, 0, 0)"),
    ("long ftell(FILE *);", "ftell($f)"),
    ("void rewind(FILE *);", "rewind($f)"),
    ("int remove(const char *);", "remove($s)"),
    ("int rename(const char *, const char *);", "rename($s, $s)"),
    ("int setvbuf(FILE *, char *, int, size_t);", "setvbuf($f, $?w4, 0, 4)"),
    // <unistd.h>
    ("long write(int, const void *, size_t);", "write(1, $r4, 4)"),
    ("long read(int, void *, size_t);", "read(0, $w4, 4)"),
    ("long read(int, void *, size_t);", "read(0, $w4, n)"),
    ("int open(const char *, int, ...);", "open($s, 0)"),
    ("int unlink(const char *);", "unlink($s)"),
    ("int access(const char *, int);", "access($s, 0)"),
    // <stdlib.h>
    ("char *getenv(const char *);", "getenv($s)"),
    ("int setenv(const char *, const char *, int);", "setenv($s, $s, 1)"),
    ("int unsetenv(const char *);", "unsetenv($s)"),
    ("int system(const char *);", "system($?s)"),
    ("int atoi(const char *);", "atoi($s)"),
    ("long atol(const char *);", "atol($s)"),
    ("long strtol(const char *, char **, int);", "strtol($s, $?w8, 10)"),
    ("unsigned long strtoul(const char *, char **, int);", "strtoul($s, $?w8, 10)"),
    ("double strtod(const char *, char **);", "strtod($s, $?w8)"),
    (COMPARE, "qsort($w8, 2, 4, compare)"),
    (COMPARE, "bsearch($r4, $r8, 2, 4, compare)"),
    // <time.h>
    ("long time(long *);", "time($?w8)"),
    ("struct tm { int part[14]; }; long mktime(struct tm *);", "mktime((struct tm *)$w56)"),
    ("void *localtime_r(const long *, void *);", "localtime_r($r8, $w56)"),
    ("int gettimeofday(void *, void *);", "gettimeofday($w16, 0)"),
    ("int clock_gettime(int, void *);", "clock_gettime(0, $w16)"),
    ("int nanosleep(const void *, void *);", "nanosleep($r16, $?w16)"),
    // <locale.h>
    ("char *setlocale(int, const char *);", "setlocale(0, $?s)"),
    ("char *gettext(const char *);", "gettext($s)"),
    // <pthread.h>
    ("int pthread_mutex_init(void *, const void *);", "pthread_mutex_init($w20, 0)"),
    ("int pthread_mutex_unlock(void *);", "pthread_mutex_unlock($w20)"),
    ("int pthread_mutexattr_init(void *);", "pthread_mutexattr_init($w4)"),
    ("int pthread_cond_init(void *, const void *);", "pthread_cond_init($w4, 0)"),
    ("int pthread_cond_destroy(void *);", "pthread_cond_destroy($w4)"),
    ("int sem_init(void *, int, unsigned);", "sem_init($w4, 0, 1)"),
    ("int sem_destroy(void *);", "sem_destroy($w4)"),
    // Not of the library, but accesses all the same.
    ("struct block { int a, b; };", "*(struct block *)$r8"),
    ("struct block { int a, b; };", "(void)*(struct block *)$r8"),
    ("struct block { int a, b; };", "(void)*(volatile struct block *)$r8"),
    ("union either { int a; char b[8]; };", "*(union either *)$r8"),
    ("", "(void)*(_Complex float *)$r8"),
    ("", "__asm__(\"\" : \"+r\"(*(int *)$w4))"),
    ("", "__asm__(\"\" : \"=m\"(*(int *)$w4))"),
    ("", "__asm__(\"\" : : \"m\"(*(int *)$r4))"),
    ("", "__asm__(\"\" : : \"r\"(*(int *)$r4))"),
    ("", "__atomic_store_n((int *)$w4, 1, 5)"),
    ("", "__atomic_load_n((int *)$r4, 5)"),
    ("int setjmp(long *);", "setjmp($w8)"),
];

const VPRINT: &str = "\
int vprintf(const char *, __builtin_va_list); int vsprintf(char *, const char *, __builtin_va_list);
int vsnprintf(char *, size_t, const char *, __builtin_va_list);
static int list(int which, char *to, size_t n, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int r = which == 0 ? vprintf(format, list)
        : which == 1   ? vsprintf(to, format, list)
                       : vsnprintf(to, n, format, list);
    __builtin_va_end(list);
    return r;
}
";

const COMPARE: &str = "\
static int compare(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
";
