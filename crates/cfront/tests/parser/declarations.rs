//! The trees of declarations.

use crate::tree;
use expect_test::{Expect, expect};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&tree(text));
}

#[test]
fn variables() {
    check(
        "int a, *b = 0, c[3];",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
          declarator a 1:5
          declarator b 1:8
            pointer
          initialiser number 0 1:13
          declarator c 1:16
            array 1:17
              number 3 1:18
    "#]],
    );
    check(
        "static const volatile unsigned long long int *const *restrict p;",
        &expect![[r#"
        declaration 1:1
          specifiers static const volatile unsigned long long 1:1
          declarator p 1:46
            pointer restrict
            pointer const
    "#]],
    );
    check(
        "extern _Thread_local int t; static __thread int u;",
        &expect![[r#"
        declaration 1:1
          specifiers extern thread-local int 1:1
          declarator t 1:26
        declaration 1:29
          specifiers static thread-local int 1:29
          declarator u 1:49
    "#]],
    );
    check(
        "const x; static y = 1; main();",
        &expect![[r#"
        declaration 1:1
          specifiers const (no type) 1:1
          declarator x 1:7
        declaration 1:10
          specifiers static (no type) 1:10
          declarator y 1:17
          initialiser number 1 1:21
        declaration 1:24
          specifiers (no type) 1:24
          declarator main 1:24
            function () 1:28
    "#]],
    );
    check(
        "int x __asm__(\"y\") __attribute__((used)), __attribute__((unused)) z;",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
          declarator x 1:5
            asm name \"y\" 1:15
            attribute used 1:35
          declarator z 1:67
            attribute unused 1:58
    "#]],
    );
}

#[test]
fn basic_types() {
    check(
        "long unsigned a; int long unsigned long b; double long c; char signed d; short int e; signed f; unsigned g; \
         _Bool h; void *i; __signed__ char j;",
        &expect![[r#"
            declaration 1:1
              specifiers unsigned long 1:1
              declarator a 1:15
            declaration 1:18
              specifiers unsigned long long 1:18
              declarator b 1:41
            declaration 1:44
              specifiers long double 1:44
              declarator c 1:56
            declaration 1:59
              specifiers signed char 1:59
              declarator d 1:71
            declaration 1:74
              specifiers short 1:74
              declarator e 1:84
            declaration 1:87
              specifiers int 1:87
              declarator f 1:94
            declaration 1:97
              specifiers unsigned int 1:97
              declarator g 1:106
            declaration 1:109
              specifiers _Bool 1:109
              declarator h 1:115
            declaration 1:118
              specifiers void 1:118
              declarator i 1:123
                pointer
            declaration 1:127
              specifiers signed char 1:127
              declarator j 1:143
        "#]],
    );
    check(
        "_Complex a; float _Complex b; long double _Complex c; _Complex int d; __complex__ double e;",
        &expect![[r#"
            declaration 1:1
              specifiers _Complex double 1:1
              declarator a 1:10
            declaration 1:13
              specifiers _Complex float 1:13
              declarator b 1:28
            declaration 1:31
              specifiers _Complex long double 1:31
              declarator c 1:52
            declaration 1:55
              specifiers _Complex int 1:55
              declarator d 1:68
            declaration 1:71
              specifiers _Complex double 1:71
              declarator e 1:90
        "#]],
    );
    check(
        "__int128 a; unsigned __int128 b; __int128_t c; __uint128_t d; _Float16 e; _Float32x f; __float128 g; \
         __float80 h; _Decimal64 i; __bf16 j; __builtin_va_list k;",
        &expect![[r#"
            declaration 1:1
              specifiers __int128 1:1
              declarator a 1:10
            declaration 1:13
              specifiers unsigned __int128 1:13
              declarator b 1:31
            declaration 1:34
              specifiers __int128 1:34
              declarator c 1:45
            declaration 1:48
              specifiers unsigned __int128 1:48
              declarator d 1:60
            declaration 1:63
              specifiers _Float16 1:63
              declarator e 1:72
            declaration 1:75
              specifiers _Float32x 1:75
              declarator f 1:85
            declaration 1:88
              specifiers _Float128 1:88
              declarator g 1:99
            declaration 1:102
              specifiers long double 1:102
              declarator h 1:112
            declaration 1:115
              specifiers _Decimal 1:115
              declarator i 1:126
            declaration 1:129
              specifiers __bf16 1:129
              declarator j 1:136
            declaration 1:139
              specifiers __builtin_va_list 1:139
              declarator k 1:157
        "#]],
    );
    check(
        "_BitInt(7) a; unsigned _BitInt(33) b; _Atomic(int) c; _Atomic int d; int *_Atomic e;",
        &expect![[r#"
            declaration 1:1
              specifiers _BitInt 1:1
                number 7 1:9
              declarator a 1:12
            declaration 1:15
              specifiers unsigned _BitInt 1:15
                number 33 1:32
              declarator b 1:36
            declaration 1:39
              specifiers _Atomic() 1:39
                type 1:47
                  specifiers int 1:47
              declarator c 1:52
            declaration 1:55
              specifiers _Atomic int 1:55
              declarator d 1:67
            declaration 1:70
              specifiers int 1:70
              declarator e 1:74
                pointer _Atomic
        "#]],
    );
    check(
        "typeof(int *) a; __typeof__(a + 1) b; typeof_unqual(const int) c; void f(void) { __auto_type d = 1; }",
        &expect![[r#"
            declaration 1:1
              specifiers typeof 1:1
                type 1:8
                  specifiers int 1:8
                  declarator (abstract) 1:12
                    pointer
              declarator a 1:15
            declaration 1:18
              specifiers typeof 1:18
                binary + 1:29
                  name a 1:29
                  number 1 1:33
              declarator b 1:36
            declaration 1:39
              specifiers typeof_unqual 1:39
                type 1:53
                  specifiers const int 1:53
              declarator c 1:64
            function 1:67
              specifiers void 1:67
              declarator f 1:72
                function (void) 1:73
              block 1:80
                declaration 1:82
                  specifiers __auto_type 1:82
                  declarator d 1:94
                  initialiser number 1 1:98
        "#]],
    );
}

#[test]
fn declarators() {
    check(
        "void (*signal(int sig, void (*func)(int)))(int);",
        &expect![[r#"
        declaration 1:1
          specifiers void 1:1
          declarator signal 1:6
            function 1:14
              parameter 1:15
                specifiers int 1:15
                declarator sig 1:19
              parameter 1:24
                specifiers void 1:24
                declarator func 1:29
                  pointer
                  function 1:36
                    parameter 1:37
                      specifiers int 1:37
                      declarator (abstract) 1:40
            pointer
            function 1:43
              parameter 1:44
                specifiers int 1:44
                declarator (abstract) 1:47
    "#]],
    );
    check(
        "int (*(*f)(void))[3], (g), ((*h))[2][4];",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
          declarator f 1:5
            pointer
            function (void) 1:11
            pointer
            array 1:18
              number 3 1:19
          declarator g 1:23
          declarator h 1:28
            pointer
            array 1:34
              number 2 1:35
            array 1:37
              number 4 1:38
    "#]],
    );
    check(
        "int f(int n, int a[static const 3], int b[*], int c[restrict n], int d[const], ...);",
        &expect![[r#"
            declaration 1:1
              specifiers int 1:1
              declarator f 1:5
                function variadic 1:6
                  parameter 1:7
                    specifiers int 1:7
                    declarator n 1:11
                  parameter 1:14
                    specifiers int 1:14
                    declarator a 1:18
                      array static const 1:19
                        number 3 1:33
                  parameter 1:37
                    specifiers int 1:37
                    declarator b 1:41
                      array * 1:42
                  parameter 1:47
                    specifiers int 1:47
                    declarator c 1:51
                      array restrict 1:52
                        name n 1:62
                  parameter 1:66
                    specifiers int 1:66
                    declarator d 1:70
                      array const 1:71
        "#]],
    );
    check(
        "int f(), g(void), h(int (*)(int), char *[]), k(...);",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
          declarator f 1:5
            function () 1:6
          declarator g 1:10
            function (void) 1:11
          declarator h 1:19
            function 1:20
              parameter 1:21
                specifiers int 1:21
                declarator (abstract) 1:25
                  pointer
                  function 1:28
                    parameter 1:29
                      specifiers int 1:29
                      declarator (abstract) 1:32
              parameter 1:35
                specifiers char 1:35
                declarator (abstract) 1:40
                  array 1:41
                  pointer
          declarator k 1:46
            function variadic 1:47
    "#]],
    );
    check(
        "int (__attribute__((stdcall)) *f)(int); int *__attribute__((aligned(8))) p;",
        &expect![[r#"
            declaration 1:1
              specifiers int 1:1
              declarator f 1:5
                pointer
                function 1:34
                  parameter 1:35
                    specifiers int 1:35
                    declarator (abstract) 1:38
                attribute stdcall 1:21
            declaration 1:41
              specifiers int 1:41
              declarator p 1:45
                pointer
                  attribute aligned 1:61
                    number 8 1:69
        "#]],
    );
    check(
        "int f(int n; int a[n], int n);",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
          declarator f 1:5
            function 1:6
              parameter 1:14
                specifiers int 1:14
                declarator a 1:18
                  array 1:19
                    name n 1:20
              parameter 1:24
                specifiers int 1:24
                declarator n 1:28
    "#]],
    );
}

#[test]
fn functions() {
    check(
        "int main(void) { return 0; }",
        &expect![[r#"
        function 1:1
          specifiers int 1:1
          declarator main 1:5
            function (void) 1:9
          block 1:16
            return 1:18
              number 0 1:25
    "#]],
    );
    check(
        "f(a, b, c) int a, *b; char c; { }",
        &expect![[r#"
        function 1:1
          specifiers (no type) 1:1
          declarator f 1:1
            function names a b c 1:2
          declaration 1:12
            specifiers int 1:12
            declarator a 1:16
            declarator b 1:19
              pointer
          declaration 1:23
            specifiers char 1:23
            declarator c 1:28
          block 1:31
    "#]],
    );
    check(
        "static inline _Noreturn void *(f)(int x) { }",
        &expect![[r#"
        function 1:1
          specifiers static inline noreturn void 1:1
          declarator f 1:30
            function 1:34
              parameter 1:35
                specifiers int 1:35
                declarator x 1:39
            pointer
          block 1:42
    "#]],
    );
    check(
        "int (*f(int x))(char) { }",
        &expect![[r#"
        function 1:1
          specifiers int 1:1
          declarator f 1:5
            function 1:8
              parameter 1:9
                specifiers int 1:9
                declarator x 1:13
            pointer
            function 1:16
              parameter 1:17
                specifiers char 1:17
                declarator (abstract) 1:21
          block 1:23
    "#]],
    );
    check(
        "void f(void) { int g(int y) { return y; } }",
        &expect![[r#"
        function 1:1
          specifiers void 1:1
          declarator f 1:6
            function (void) 1:7
          block 1:14
            function 1:16
              specifiers int 1:16
              declarator g 1:20
                function 1:21
                  parameter 1:22
                    specifiers int 1:22
                    declarator y 1:26
              block 1:29
                return 1:31
                  name y 1:38
    "#]],
    );
}

#[test]
fn records() {
    check(
        "struct s { int a : 3, : 0, b : 5; const char *c; struct { int x; }; union u { int y; } d; int e[]; };",
        &expect![[r#"
            declaration 1:1
              specifiers struct s definition 1:1
                member 1:12
                  specifiers int 1:12
                  declarator a 1:16
                  width number 3 1:20
                member 1:12
                  specifiers int 1:12
                  width number 0 1:25
                member 1:12
                  specifiers int 1:12
                  declarator b 1:28
                  width number 5 1:32
                member 1:35
                  specifiers const char 1:35
                  declarator c 1:46
                    pointer
                member 1:50
                  specifiers struct (anonymous) definition 1:50
                    member 1:59
                      specifiers int 1:59
                      declarator x 1:63
                member 1:69
                  specifiers union u definition 1:69
                    member 1:79
                      specifiers int 1:79
                      declarator y 1:83
                  declarator d 1:88
                member 1:91
                  specifiers int 1:91
                  declarator e 1:95
                    array 1:96
        "#]],
    );
    check(
        "struct __attribute__((packed)) s { char c; } __attribute__((aligned(4))) x __attribute__((used));",
        &expect![[r#"
            declaration 1:1
              specifiers struct s definition 1:1
                member 1:36
                  specifiers char 1:36
                  declarator c 1:41
                attribute packed 1:23
                attribute aligned 1:61
                  number 4 1:69
              declarator x 1:74
                attribute used 1:91
        "#]],
    );
    check(
        "struct s; union u *p; struct {} e; struct { ; int x; ; } f;",
        &expect![[r#"
        declaration 1:1
          specifiers struct s 1:1
        declaration 1:11
          specifiers union u 1:11
          declarator p 1:19
            pointer
        declaration 1:23
          specifiers struct (anonymous) definition 1:23
          declarator e 1:33
        declaration 1:36
          specifiers struct (anonymous) definition 1:36
            member 1:47
              specifiers int 1:47
              declarator x 1:51
          declarator f 1:58
    "#]],
    );
    check(
        "struct s { _Static_assert(1, \"\"); __extension__ int a; int b : 2 __attribute__((packed)); };",
        &expect![[r#"
            declaration 1:1
              specifiers struct s definition 1:1
                static assertion 1:12
                  number 1 1:27
                  message \"\" 1:30
                member 1:35
                  specifiers int 1:49
                  declarator a 1:53
                member 1:56
                  specifiers int 1:56
                  declarator b 1:60
                    attribute packed 1:81
                  width number 2 1:64
        "#]],
    );
}

#[test]
fn enumerations() {
    check(
        "enum e { A, B = 1 + 2, C __attribute__((deprecated)) = 4, } x; enum e y;",
        &expect![[r#"
        declaration 1:1
          specifiers enum e definition 1:1
            enumerator A 1:10
            enumerator B 1:13
              binary + 1:17
                number 1 1:17
                number 2 1:21
            enumerator C 1:24
              number 4 1:56
          declarator x 1:61
        declaration 1:64
          specifiers enum e 1:64
          declarator y 1:71
    "#]],
    );
    check(
        "enum e : unsigned char { A }; struct s { enum e f : 3; };",
        &expect![[r#"
        declaration 1:1
          specifiers enum e definition 1:1
            underlying type 1:10
              specifiers unsigned char 1:10
            enumerator A 1:26
        declaration 1:31
          specifiers struct s definition 1:31
            member 1:42
              specifiers enum e 1:42
              declarator f 1:49
              width number 3 1:53
    "#]],
    );
}

#[test]
fn attributes() {
    check(
        "__attribute__((noreturn, __format__(printf, 1, 2))) void f(const char *, ...) __attribute__((cold));",
        &expect![[r#"
            declaration 1:1
              specifiers void 1:1
                attribute noreturn 1:16
                attribute format 1:26
                  name printf 1:37
                  number 1 1:45
                  number 2 1:48
              declarator f 1:58
                function variadic 1:59
                  parameter 1:60
                    specifiers const char 1:60
                    declarator (abstract) 1:71
                      pointer
                attribute cold 1:94
        "#]],
    );
    check(
        "[[nodiscard, gnu::packed, other::thing(a b)]] int x [[maybe_unused]];",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
            attribute nodiscard 1:3
            attribute packed 1:14
            attribute other::thing 1:27
          declarator x 1:51
            attribute maybe_unused 1:55
    "#]],
    );
    check(
        "typedef int v __attribute__((vector_size(4 * sizeof(int)))); typedef int d __attribute__((mode(DI)));",
        &expect![[r#"
            declaration 1:1
              specifiers typedef int 1:1
              declarator v 1:13
                attribute vector_size 1:30
                  binary * 1:42
                    number 4 1:42
                    sizeof 1:46
                      type 1:53
                        specifiers int 1:53
            declaration 1:62
              specifiers typedef int 1:62
              declarator d 1:74
                attribute mode 1:91
                  name DI 1:96
        "#]],
    );
    check(
        "_Alignas(16) _Alignas(double) char c; alignas(8) int i;",
        &expect![[r#"
        declaration 1:1
          specifiers char 1:1
            attribute _Alignas 1:1
              number 16 1:10
            attribute _Alignas 1:14
              type 1:23
                specifiers double 1:23
          declarator c 1:36
        declaration 1:39
          specifiers int 1:39
            attribute _Alignas 1:39
              number 8 1:47
          declarator i 1:54
    "#]],
    );
    check(
        "__attribute__((, const,, )) int f(void); __attribute__((unused)); ;",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
            attribute const 1:18
          declarator f 1:33
            function (void) 1:34
        empty declaration 1:42
        empty declaration 1:67
    "#]],
    );
}

#[test]
fn static_assertions_and_file_asm() {
    check(
        "_Static_assert(1, \"a\" \"b\"); _Static_assert(2); static_assert(3); asm(\"nop\");",
        &expect![[r#"
            static assertion 1:1
              number 1 1:16
              message \"a\" \"b\" 1:19
            static assertion 1:29
              number 2 1:44
            static assertion 1:48
              number 3 1:62
            asm 1:66
              template \"nop\" 1:70
        "#]],
    );
}

#[test]
fn initialisers() {
    check(
        "int a[] = { 1, [2] = 3, [4 ... 6] = 7, [8] 9, };",
        &expect![[r#"
        declaration 1:1
          specifiers int 1:1
          declarator a 1:5
            array 1:6
          initialiser list 1:11
            initialiser number 1 1:13
            designated 1:22
              index number 2 1:17
              initialiser number 3 1:22
            designated 1:37
              range 1:26
                low number 4 1:26
                high number 6 1:32
              initialiser number 7 1:37
            designated 1:44
              index number 8 1:41
              initialiser number 9 1:44
    "#]],
    );
    check(
        "struct s x = { .a = 1, .b[2].c = { 3, { } }, d: 4 };",
        &expect![[r#"
        declaration 1:1
          specifiers struct s 1:1
          declarator x 1:10
          initialiser list 1:14
            designated 1:21
              member .a 1:17
              initialiser number 1 1:21
            designated 1:34
              member .b 1:25
              index number 2 1:27
              member .c 1:30
              initialiser list 1:34
                initialiser number 3 1:36
                initialiser list 1:39
            designated 1:49
              member .d 1:46
              initialiser number 4 1:49
    "#]],
    );
    check(
        "char s[] = { \"a\" \"b\" }, t[] = \"c\";",
        &expect![[r#"
        declaration 1:1
          specifiers char 1:1
          declarator s 1:6
            array 1:7
          initialiser list 1:12
            initialiser string \"a\" \"b\" 1:14
          declarator t 1:25
            array 1:26
          initialiser string \"c\" 1:31
    "#]],
    );
}
