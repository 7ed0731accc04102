//! The registry of library models: which file of `models/` defines which functions and variables.
//!
//! A model is C, written for Vergo, without includes: `models/prelude.h` goes before each file. It is compiled with the
//! task's data model when one of its names is first used and defined nowhere else. Models may use the functions
//! `__vergo_*`, which lowering knows, and may call each other.
//!
//! Functions that exist for every floating type are written once: in a row with types, `REAL` stands for the type,
//! `REAL_MAX` and its like for the constants of `<float.h>`, and `_R` at the end of a name for the letter that the
//! type's functions end in. The row names its functions without the letter, and the text is compiled for each type that
//! is needed.
//!
//! To add a model, add its file and its row; a test compares the rows with the files.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use vergo_cfront::hir::Unit;
use vergo_cfront::target::DataModel;
use vergo_source::{Diagnostics, SourceMap};

/// A file of models.
#[derive(Debug)]
pub struct Model {
    /// Its path below `models`.
    pub path: &'static str,
    text: &'static str,
    functions: &'static [&'static str],
    /// The variables that it defines for others.
    pub variables: &'static [&'static str],
    /// The types for which it is compiled; empty if it names its types itself.
    pub types: &'static [Real],
}

/// A floating type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Real {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `__float128`
    Quad,
}

/// The types of C.
const STANDARD: &[Real] = &[Real::Float, Real::Double, Real::LongDouble];
/// These and GNU C's.
const ALL: &[Real] = &[Real::Float, Real::Double, Real::LongDouble, Real::Quad];

impl Real {
    /// Returns the letter at the end of the names of this type's functions.
    pub fn suffix(self) -> &'static str {
        match self {
            Real::Float => "f",
            Real::Double => "",
            Real::LongDouble => "l",
            Real::Quad => "q",
        }
    }

    /// Returns the meaning of a model's word at this type, if it depends on the type.
    fn word(self, word: &str) -> Option<&'static str> {
        // In each row: the four types in order.
        let row = match word {
            "REAL" => ["float", "double", "long double", "__float128"],
            "__VERIFIER_nondet_REAL" => [
                "__VERIFIER_nondet_float",
                "__VERIFIER_nondet_double",
                "__VERIFIER_nondet_longdouble",
                "__VERIFIER_nondet_float128",
            ],
            "REAL_MANT_DIG" => ["24", "53", "64", "113"],
            "REAL_MAX_EXP" => ["128", "1024", "16384", "16384"],
            "REAL_MAX" => [
                "0x1.fffffep127f",
                "0x1.fffffffffffffp1023",
                "0xf.fffffffffffffffp16380L",
                "0x1.ffffffffffffffffffffffffffffp16383q",
            ],
            "REAL_MIN" => ["0x1p-126f", "0x1p-1022", "0x1p-16382L", "0x1p-16382q"],
            "REAL_EPSILON" => ["0x1p-23f", "0x1p-52", "0x1p-63L", "0x1p-112q"],
            _ => return None,
        };
        Some(row[self as usize])
    }
}

impl Model {
    /// The types at which the model is compiled, `None` for one that has no types.
    pub fn instances(&self) -> impl Iterator<Item = Option<Real>> {
        let plain = if self.types.is_empty() { Some(None) } else { None };
        plain.into_iter().chain(self.types.iter().copied().map(Some))
    }

    /// The functions that it defines for others at a type.
    pub fn functions(&self, real: Option<Real>) -> impl Iterator<Item = String> {
        let suffix = real.map_or("", Real::suffix);
        self.functions.iter().map(move |name| format!("{name}{suffix}"))
    }

    /// The functions that it defines, without the letter of a type.
    pub fn stems(&self) -> &'static [&'static str] {
        self.functions
    }

    /// The state that its functions share and by which one call decides what another gives, if there is one.
    pub(crate) fn state(&self) -> Option<&'static str> {
        match self.path {
            "getopt.h/getopt.c"
            | "signal.h/signal.c"
            | "stdlib.h/environment.c"
            | "stdlib.h/random.c" => Some(self.path),
            "stdio.h/get.c" | "stdio.h/scan.c" => Some("stdin"),
            _ => None,
        }
    }

    /// Its text as it was written.
    #[cfg(test)]
    pub(crate) fn source(&self) -> &'static str {
        self.text
    }

    /// Its text at a type, with what all models begin with.
    pub fn text(&self, real: Option<Real>) -> String {
        let mut text = format!("{PRELUDE}# 1 \"<vergo>/{}\"\n", self.path);
        let Some(real) = real else {
            text.push_str(self.text);
            return text;
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = self.text;
        while let Some(start) = rest.find(is_word) {
            let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |n| start + n);
            let word = &rest[start..end];
            text.push_str(&rest[..start]);
            match (real.word(word), word.strip_suffix("_R")) {
                (Some(meaning), _) => text.push_str(meaning),
                (None, Some(stem)) => {
                    text.push_str(stem);
                    text.push_str(real.suffix());
                }
                (None, None) => text.push_str(word),
            }
            rest = &rest[end..];
        }
        text.push_str(rest);
        text
    }
}

const PRELUDE: &str = include_str!("../models/prelude.h");

macro_rules! models {
    (@types) => { &[] };
    (@types $types:ident) => { $types };
    ($($path:literal $(at $types:ident)?: functions $($function:ident)*; $(variables $($variable:ident)*;)?)*) => {
        /// All models.
        pub static MODELS: &[Model] = &[$(Model {
            path: $path,
            text: include_str!(concat!("../models/", $path)),
            functions: &[$(stringify!($function)),*],
            variables: &[$($(stringify!($variable)),*)?],
            types: models!(@types $($types)?),
        }),*];
    };
}

models! {
    "arpa/inet.h/inet.c":
        functions htonl htons inet_addr inet_aton inet_ntoa inet_ntop inet_pton ntohl ntohs;
    "complex.h/absolute.c" at STANDARD:
        functions cabs carg;
    "complex.h/arith.c" at ALL:
        functions __vergo_product __vergo_quotient;
    "complex.h/parts.c" at STANDARD:
        functions cimag conj creal;
    "ctype.h/classes.c":
        functions isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace
            isupper isxdigit toascii tolower toupper;
    "ctype.h/tables.c":
        functions __ctype_b_loc __ctype_get_mb_cur_max __ctype_tolower_loc __ctype_toupper_loc;
    "dirent.h/folders.c":
        functions closedir dirfd fdopendir opendir readdir rewinddir;
    "errno.h/errno.c":
        functions __errno __errno_location __error;
    "fenv.h/fenv.c":
        functions feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv
            fesetexceptflag fesetround fetestexcept feupdateenv;
    "getopt.h/getopt.c":
        functions getopt;
        variables optarg opterr optind optopt;
    "locale.h/locale.c":
        functions bindtextdomain gettext localeconv setlocale textdomain;
    "math.h/bounded.c" at STANDARD:
        functions acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot
            lgamma log log10 log1p log2 pow sin sinh tan tanh tgamma;
    "math.h/classify.c" at STANDARD:
        functions __finite __fpclassify __isinf __isnan __signbit finite isinf isnan;
    "math.h/exact.c" at STANDARD:
        functions ceil copysign drem fabs fdim floor fma fmax fmin fmod llrint llround lrint lround modf nan
            nearbyint remainder rint round roundeven sqrt trunc;
    "math.h/macros.c":
        functions isfinite isnormal signbit;
    "math.h/next.c":
        functions nextafter nextafterf nexttoward nexttowardf;
    "math.h/scale.c" at STANDARD:
        functions frexp ilogb ldexp logb scalbln scalbn;
    "netdb.h/addresses.c":
        functions freeaddrinfo gai_strerror getaddrinfo;
    "poll.h/poll.c":
        functions poll;
    "pthread.h/barrier.c":
        functions pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait;
    "pthread.h/c11.c":
        functions cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_wait mtx_destroy mtx_init mtx_lock
            mtx_trylock mtx_unlock thrd_create thrd_current thrd_detach thrd_join thrd_yield;
    "pthread.h/condition.c":
        functions pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal
            pthread_cond_timedwait pthread_cond_wait;
    "pthread.h/keys.c":
        functions pthread_getspecific pthread_key_create pthread_key_delete pthread_setspecific;
    "pthread.h/mutex.c":
        functions pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_timedlock
            pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_gettype
            pthread_mutexattr_init pthread_mutexattr_setpshared pthread_mutexattr_settype;
    "pthread.h/once.c":
        functions call_once pthread_once;
    "pthread.h/rwlock.c":
        functions pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_tryrdlock
            pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock;
    "pthread.h/semaphore.c":
        functions sem_destroy sem_getvalue sem_init sem_post sem_trywait sem_wait;
    "pthread.h/spin.c":
        functions pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock
            pthread_spin_unlock;
    "pthread.h/threads.c":
        functions __vergo_leave_main pthread_attr_destroy pthread_attr_init pthread_attr_setdetachstate
            pthread_attr_setstacksize pthread_create pthread_detach pthread_equal pthread_join pthread_self;
    "regex.h/regex.c":
        functions regcomp regerror regexec regfree;
    "signal.h/signal.c":
        functions pthread_sigmask raise sigaction sigaddset sigdelset sigemptyset sigfillset sigismember
            signal sigprocmask;
    "stdio.h/files.c":
        functions clearerr fclose fdopen feof feof_unlocked ferror ferror_unlocked fgetpos fileno flockfile
            fopen fopen64 freopen fseek fseeko fsetpos ftell ftello funlockfile mkdtemp mkstemp mkstemps pclose
            popen remove rename rewind setbuf setvbuf tmpfile tmpnam;
    "stdio.h/format.c":
        functions __vergo_format __vergo_put_char __vergo_put_end __vergo_put_float __vergo_put_integer
            __vergo_put_long_double __vergo_put_text __vergo_put_wide_char __vergo_put_wide_text
            __vergo_wide_length;
    "stdio.h/get.c":
        functions _IO_getc __fgets_chk fgetc fgets fread getc getc_unlocked getchar getchar_unlocked
            getdelim getline gets ungetc;
    "stdio.h/print.c":
        functions __fprintf_chk __printf_chk __snprintf_chk __sprintf_chk __vfprintf_chk __vprintf_chk
            __vsnprintf_chk __vsprintf_chk asprintf dprintf fprintf printf snprintf sprintf vasprintf vdprintf
            vfprintf vprintf vsnprintf vsprintf;
    "stdio.h/put.c":
        functions _IO_putc fflush fputc fputs fputs_unlocked fwrite fwrite_unlocked perror putc
            putc_unlocked putchar putchar_unlocked puts;
    "stdio.h/scan.c":
        functions __isoc23_fscanf __isoc23_scanf __isoc23_sscanf __isoc23_vfscanf __isoc23_vscanf
            __isoc23_vsscanf __isoc99_fscanf __isoc99_scanf __isoc99_sscanf __isoc99_vfscanf __isoc99_vscanf
            __isoc99_vsscanf fscanf scanf sscanf vfscanf vscanf vsscanf;
    "stdio.h/streams.c":
        functions;
        variables __stderrp __stdinp __stdoutp stderr stdin stdout;
    "stdio.h/use.c":
        functions __vergo_use_stdout __vergo_use_stream;
    "stdlib.h/arith.c":
        functions abs div imaxabs imaxdiv labs ldiv llabs lldiv;
    "stdlib.h/environ.c":
        functions;
        variables __environ environ;
    "stdlib.h/environment.c":
        functions clearenv getenv putenv secure_getenv setenv system unsetenv;
    "stdlib.h/exit.c":
        functions _Exit __vergo_note_status __vergo_run_handlers _exit abort atexit exit on_exit quick_exit;
    "stdlib.h/floats.c":
        functions atof strtod strtof strtold;
    "stdlib.h/malloc.c":
        functions __vergo_malloc aligned_alloc calloc free malloc malloc_usable_size memalign posix_memalign
            realloc reallocarray valloc;
    "stdlib.h/numbers.c":
        functions __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull __strtol_internal
            __strtoul_internal atoi atol atoll strtoimax strtol strtoll strtoq strtoul strtoull strtoumax
            strtouq;
    "stdlib.h/random.c":
        functions arc4random arc4random_buf arc4random_uniform drand48 lrand48 mrand48 rand rand_r random
            srand srand48 srandom;
    "stdlib.h/sort.c":
        functions bsearch qsort qsort_r;
    "string.h/compare.c":
        functions strcasecmp strcmp strcoll strncasecmp strncmp strxfrm;
    "string.h/copy.c":
        functions __stpcpy_chk __strcat_chk __strcpy_chk __strncat_chk __strncpy_chk stpcpy stpncpy strcat
            strcpy strlcat strlcpy strncat strncpy;
    "string.h/duplicate.c":
        functions __strdup __strndup strdup strndup;
    "string.h/errors.c":
        functions __xpg_strerror_r strerror strerror_r strsignal;
    "string.h/length.c":
        functions strlen strnlen;
    "string.h/memory.c":
        functions __memcpy_chk __memmove_chk __mempcpy_chk __memset_chk bcmp bcopy bzero explicit_bzero
            memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset rawmemchr swab;
    "string.h/search.c":
        functions __strtok_r basename index rindex strcasestr strchr strchrnul strcspn strpbrk strrchr
            strsep strspn strstr strtok strtok_r;
    "strings.h/bits.c":
        functions ffs ffsl ffsll;
    "sys/random.h/random.c":
        functions getentropy getrandom;
    "sys/select.h/select.c":
        functions select;
    "sys/socket.h/socket.c":
        functions accept accept4 bind connect getpeername getsockname getsockopt listen recv recvfrom
            recvmsg send sendmsg sendto setsockopt shutdown socket socketpair;
    "sys/stat.h/stat.c":
        functions __fxstat __lxstat __xstat chmod fchmod fstat fstat64 fstatat lstat lstat64 mkdir mkfifo
            stat stat64 umask;
    "sys/utsname.h/utsname.c":
        functions uname;
    "sys/wait.h/wait.c":
        functions wait waitpid;
    "time.h/calendar.c":
        functions gmtime gmtime_r localtime localtime_r mktime timegm tzset;
    "time.h/texts.c":
        functions asctime asctime_r ctime ctime_r strftime;
    "time.h/time.c":
        functions clock clock_getres clock_gettime difftime gettimeofday nanosleep time timespec_get;
    "time.h/zone.c":
        functions;
        variables __vergo_zone_changes;
    "unistd.h/descriptors.c":
        functions __vergo_hold_descriptor __vergo_new_descriptor __vergo_release_descriptor;
    "unistd.h/files.c":
        functions chdir chown chroot dup dup2 fchown fcntl fsync ftruncate getcwd getdomainname gethostname
            getlogin_r link pipe pipe2 pread pread64 pwrite pwrite64 readlink readlinkat realpath rmdir symlink
            truncate;
    "unistd.h/unistd.c":
        functions access alarm close creat getegid geteuid getgid getpagesize getpgrp getpid getppid getuid
            isatty lseek open open64 read sched_yield setegid seteuid setgid setsid setuid sleep sysconf unlink
            usleep write;
    "verifiers/arguments.c":
        functions __vergo_argument __vergo_argument_count;
    "verifiers/memory.c":
        functions __CPROVER_OBJECT_SIZE __CPROVER_POINTER_OFFSET __CPROVER_cover __CPROVER_havoc_object
            __CPROVER_havoc_slice __CPROVER_input __CPROVER_output __ESBMC_cover __VERIFIER_nondet_memory;
    "wchar.h/multibyte.c":
        functions btowc fgetwc fgetws fputwc fputws mblen mbrtowc mbstowcs mbtowc wcrtomb wcstombs wctob
            wctomb;
    "wchar.h/print.c":
        functions fwprintf swprintf vfwprintf vswprintf vwprintf wprintf;
    "wchar.h/strings.c":
        functions wcpcpy wcscat wcschr wcscmp wcscpy wcscspn wcsdup wcslen wcsncat wcsncmp wcsncpy wcsnlen
            wcspbrk wcsrchr wcsspn wcsstr wcstok wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset;
    "wctype.h/classes.c":
        functions iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace
            iswupper iswxdigit towlower towupper;
}

/// The model that defines a function, and the type at which it does.
pub fn of_function(name: &str) -> Option<(&'static Model, Option<Real>)> {
    type Index = FxHashMap<String, (&'static Model, Option<Real>)>;
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index = Index::default();
        for model in MODELS {
            for real in model.instances() {
                index.extend(model.functions(real).map(|name| (name, (model, real))));
            }
        }
        index
    });
    index.get(name).copied()
}

/// The model that defines a variable.
pub fn of_variable(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.variables.contains(&name))
}

/// Compiles a model.
pub(crate) fn parse(
    model: &Model,
    real: Option<Real>,
    data_model: DataModel,
    sources: &mut SourceMap,
) -> Result<Unit, String> {
    let name = format!("<vergo>/{}", model.path);
    let file = sources.add(&name, model.text(real)).map_err(|error| error.to_string())?;
    let options = vergo_cfront::Options { model: data_model, ..vergo_cfront::Options::default() };
    let mut diags = Diagnostics::new();
    let ast = vergo_cfront::parse(sources, file, &options, &mut diags);
    let unit = vergo_cfront::analyze(ast, sources, &options, &mut diags);
    match diags.iter().find(|d| d.severity == vergo_source::Severity::Error) {
        Some(error) => {
            let at = sources.presumed(error.primary.lo);
            Err(format!("{at}: {}", error.message))
        }
        None => Ok(unit),
    }
}
