//! The C library: strings and blocks of memory, formatted text, results.

use super::Scene;
use crate::Rng;

/// Strings and blocks, with buffers that are now and then too small.
pub(super) fn strings(rng: &mut Rng, scene: &mut Scene) {
    let words = ["", "a", "ab", "abc", "hello", "hello world", "a,b;c", "zzz"];
    let n = rng.between(4, 14);
    let place = rng.below(3);
    match place {
        0 => scene.line(format!("char $b[{n}]; memset($b, 0, {n});")),
        1 => scene.line(format!("char *$b = calloc({n}, 1);")),
        _ => scene.global(format!("static char $b[{n}];")),
    }
    scene.line(format!("const char *$w = \"{}\";", rng.choose(&words)));
    scene.line(format!("char $c[4] = \"{}\";", rng.choose(&["a", "ab", "abc", "xy"])));
    for _ in 0..rng.between(2, 6) {
        let fits: Vec<&str> =
            words.iter().copied().filter(|word| word.len() < n || scene.slips(rng)).collect();
        let word = *rng.choose(&fits);
        let k = if scene.slips(rng) { n + 1 } else { rng.below(n) };
        match rng.below(20) {
            0 => scene.line(format!("strcpy($b, \"{word}\");")),
            1 => scene.line(format!("strncpy($b, \"{word}\", {k});")),
            2 => scene.line(format!("if (strlen($b) + 4 < {n}) strcat($b, $c);")),
            3 => scene.line(format!("memset($b, 'q', {});", k.min(n + 1))),
            4 => scene.line(format!("$b[{}] = 0;", n - 1)),
            5 => scene.line(format!(
                "memcpy($b, $c, {});",
                if scene.slips(rng) { 5 } else { rng.below(5).min(n) }
            )),
            6 => scene.line(format!("memmove($b + 1, $b, {});", k.min(n - 1))),
            7 => scene.observe(format!("strcmp($w, \"{word}\") > 0")),
            8 => scene.observe(format!("strncmp($w, $c, {k}) == 0")),
            9 => scene.observe("strlen($w)"),
            10 => scene.observe("strlen($c)"),
            11 => scene.line("{ char *p_ = strchr($w, 'l'); observe_(p_ ? p_ - $w : -1); }"),
            12 => scene.line(format!(
                "{{ char *p_ = strstr(\"xx{word}yy\", $c); observe_(p_ ? strlen(p_) : 99); }}"
            )),
            13 => scene.line("{ char *p_ = strdup($w); observe_(p_[0]); free(p_); }"),
            14 => scene.observe(format!(
                "memcmp($w, \"{word}\", {}) == 0",
                if scene.slips(rng) { 40 } else { 1 }
            )),
            15 => scene.line(format!(
                "{{ char *p_ = memchr($b, 'q', {k}); observe_(p_ ? p_ - $b : -1); }}"
            )),
            16 => scene.observe("strspn($w, \"abc\") + 10 * strcspn($w, \"l;\")"),
            17 => scene.line(format!("$c[{}] = 'c';", if scene.slips(rng) { 3 } else { 1 })),
            18 => scene.line("{ char *p_ = strrchr($w, 'o'); observe_(p_ == 0); }"),
            _ => scene.line(format!("strncat($b, \"{word}\", 1); $b[0] = 0;")),
        }
    }
    for i in 0..n.min(6) {
        scene.observe(format!("$b[{i}]"));
    }
    if place == 1 {
        scene.line("free($b);");
    }
}

/// Formatted output to memory and input from it.
pub(super) fn formats(rng: &mut Rng, scene: &mut Scene) {
    let n = rng.between(6, 30);
    scene.line(format!("char $b[{n}]; memset($b, '#', {n}); int $n = 0, $x = 5; long $l = -3; char $s[8] = \"text\";"));
    for _ in 0..rng.between(1, 3) {
        let (format, arguments) = *rng.choose(&[
            ("%d", "$x"),
            ("%5d|", "-42"),
            ("%-4u|", "7u"),
            ("%s", "$s"),
            ("%.2s", "\"abcdef\""),
            ("%c%c", "'a', 'b'"),
            ("%x %X", "255u, 43981u"),
            ("%ld", "$l"),
            ("%05d", "$x"),
            ("%+d", "$x"),
            ("%%", "0"),
            ("%s-%d", "\"ab\", 12"),
            ("%hhd", "300"),
            ("%lu", "123456789012ul"),
            ("%.3f", "2.5"),
            ("%*d", "4, $x"),
            ("x%ny", "&$n"),
            ("%p", "(void *)0"),
        ]);
        match rng.below(4) {
            0 => scene.observe(format!("snprintf($b, {}, \"{format}\", {arguments})", if scene.slips(rng) { n + 8 } else { rng.below(n + 1) })),
            1 if n >= 14 || scene.slips(rng) => {
                scene.observe(format!("sprintf($b, \"{format}\", {arguments})"));
            }
            2 => scene.line(format!("{{ int a_ = -1, k_ = sscanf(\"{}\", \"%d\", &a_); observe_(k_); observe_(a_); }}", rng.choose(&["12", "-5x", "x", " 7", ""]))),
            _ => scene.line(format!("{{ char w_[{}] = \"\"; int k_ = sscanf(\"hello you\", \"%s\", w_); observe_(k_); observe_(w_[0]); }}", if scene.slips(rng) { "3" } else { "8" })),
        }
    }
    scene.observe("$n");
    scene.observe_bytes("$b", "4");
}

/// Results of functions, fixed by the standard or not.
pub(super) fn results(rng: &mut Rng, scene: &mut Scene) {
    scene.headers = true;
    scene.exact = false;
    for _ in 0..rng.between(1, 3) {
        let expr = *rng.choose(&[
            "isalpha('a')",
            "isdigit('5')",
            "toupper('q')",
            "strcmp(\"a\", \"c\")",
            "memcmp(\"abc\", \"abd\", 3)",
            "abs(-5)",
            "atoi(\" 42x\")",
            "strtol(\"0x1f\", 0, 0)",
            "strtoul(\"777\", 0, 8)",
            "(long)(strtod(\"2.5e1\", 0) * 4)",
            "(long)(atof(\"-1.25\") * 8)",
            "div(17, 5).rem",
            "ldiv(-17, 5).quot",
            "getenv(\"HOME\") == 0",
            "getenv(\"NO_SUCH_NAME_HERE\") == 0",
            "getpid() == getpid()",
            "puts(\"\") >= 0",
            "(srand(5), rand() == (srand(5), rand()))",
            "rand() >= 0",
            "time(0) > 0",
            "clock() >= 0",
            "(errno = 0, strtol(\"99999999999999999999\", 0, 10) > 0 && errno == ERANGE)",
            "ffs(8)",
            "sin(0.5) < 0.5",
            "hypot(3, 4) == 5",
            "(long)(pow(2, 10))",
            "(long)floor(-2.5)",
            "log2(8.) == 3.",
            "cos(1.) == cos(1.)",
            "aligned_alloc(64, 0) == (void *)1",
            "strerror(2)[0] != 0",
            "snprintf(0, 0, \"%d\", 1234)",
            "fputs(\"\", stdout) >= 0",
            "fflush(stdout)",
            "usleep(0)",
            "write(1, \"\", 0)",
            "mblen(\"a\", 1)",
            "wcslen(L\"wide\")",
            "labs(-7L)",
            "(gmtime(&(time_t){ 0 })->tm_year)",
            "isatty(0) == isatty(0)",
            "fegetround_()",
        ]);
        if expr == "fegetround_()" {
            scene.line("{ struct tm t_ = { .tm_year = 100, .tm_mon = 13, .tm_mday = 1 }; mktime(&t_); observe_(t_.tm_mon); }");
        } else {
            scene.observe(expr);
        }
    }
}
