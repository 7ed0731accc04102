//! Functions of the C library that the compiler knows without a declaration: their types and headers.
//!
//! A signature is the result and then the parameters, one letter each: `v` void, `b` _Bool, `i` int, `u` unsigned, `l` long, `L`
//! unsigned long, `q` long long, `z` size_t, `t` ssize_t, `d` the floating type, `c` char as int, `p` `void *`, `P`
//! `const void *`, `s` `char *`, `S` `const char *`, `F` pointer to the floating type, `I` `int *`, `V` va_list, `w`
//! intmax_t, `x` the complex type of the floating type, `W` wchar_t, `.` variable arguments. Streams are `void *`: without
//! its header nobody can say more.

use super::Sema;
use crate::types::{FloatKind, FunctionType, QualType, TypeKind};

/// A known function.
#[derive(Clone, Copy, Debug)]
pub(super) struct LibraryFunction {
    pub(super) signature: &'static str,
    pub(super) header: &'static str,
    /// The floating type that `d` and `F` stand for.
    pub(super) float: FloatKind,
}

/// Name, signature, header; sorted by name.
static FUNCTIONS: &[(&str, &str, &str)] = &[
    ("_Exit", "vi", "stdlib.h"),
    ("_exit", "vi", "unistd.h"),
    ("abort", "v", "stdlib.h"),
    ("abs", "ii", "stdlib.h"),
    ("aligned_alloc", "pzz", "stdlib.h"),
    ("alloca", "pz", "alloca.h"),
    ("atof", "dS", "stdlib.h"),
    ("atoi", "iS", "stdlib.h"),
    ("atol", "lS", "stdlib.h"),
    ("atoll", "qS", "stdlib.h"),
    ("bcmp", "iPPz", "strings.h"),
    ("bcopy", "vPpz", "strings.h"),
    ("bzero", "vpz", "strings.h"),
    ("calloc", "pzz", "stdlib.h"),
    ("exit", "vi", "stdlib.h"),
    ("ffs", "ii", "strings.h"),
    ("ffsl", "il", "string.h"),
    ("ffsll", "iq", "string.h"),
    ("fprintf", "ipS.", "stdio.h"),
    ("fprintf_unlocked", "ipS.", "stdio.h"),
    ("fputc", "iip", "stdio.h"),
    ("fputc_unlocked", "iip", "stdio.h"),
    ("fputs", "iSp", "stdio.h"),
    ("fputs_unlocked", "iSp", "stdio.h"),
    ("free", "vp", "stdlib.h"),
    ("fscanf", "ipS.", "stdio.h"),
    ("fwrite", "zPzzp", "stdio.h"),
    ("fwrite_unlocked", "zPzzp", "stdio.h"),
    ("getchar", "i", "stdio.h"),
    ("imaxabs", "ww", "inttypes.h"),
    ("index", "sSi", "strings.h"),
    ("isalnum", "ii", "ctype.h"),
    ("isalpha", "ii", "ctype.h"),
    ("isascii", "ii", "ctype.h"),
    ("isblank", "ii", "ctype.h"),
    ("iscntrl", "ii", "ctype.h"),
    ("isdigit", "ii", "ctype.h"),
    ("isgraph", "ii", "ctype.h"),
    ("islower", "ii", "ctype.h"),
    ("isprint", "ii", "ctype.h"),
    ("ispunct", "ii", "ctype.h"),
    ("isspace", "ii", "ctype.h"),
    ("isupper", "ii", "ctype.h"),
    ("isxdigit", "ii", "ctype.h"),
    ("labs", "ll", "stdlib.h"),
    ("llabs", "qq", "stdlib.h"),
    ("malloc", "pz", "stdlib.h"),
    ("memalign", "pzz", "malloc.h"),
    ("memchr", "pPiz", "string.h"),
    ("memcmp", "iPPz", "string.h"),
    ("memcpy", "ppPz", "string.h"),
    ("memmove", "ppPz", "string.h"),
    ("mempcpy", "ppPz", "string.h"),
    ("memset", "ppiz", "string.h"),
    ("posix_memalign", "ipzz", "stdlib.h"),
    ("printf", "iS.", "stdio.h"),
    ("printf_unlocked", "iS.", "stdio.h"),
    ("putchar", "ii", "stdio.h"),
    ("putchar_unlocked", "ii", "stdio.h"),
    ("puts", "iS", "stdio.h"),
    ("puts_unlocked", "iS", "stdio.h"),
    ("rand", "i", "stdlib.h"),
    ("realloc", "ppz", "stdlib.h"),
    ("rindex", "sSi", "strings.h"),
    ("scanf", "iS.", "stdio.h"),
    ("snprintf", "iszS.", "stdio.h"),
    ("sprintf", "isS.", "stdio.h"),
    ("srand", "vu", "stdlib.h"),
    ("sscanf", "iSS.", "stdio.h"),
    ("stpcpy", "ssS", "string.h"),
    ("stpncpy", "ssSz", "string.h"),
    ("strcasecmp", "iSS", "strings.h"),
    ("strcat", "ssS", "string.h"),
    ("strchr", "sSi", "string.h"),
    ("strcmp", "iSS", "string.h"),
    ("strcpy", "ssS", "string.h"),
    ("strcspn", "zSS", "string.h"),
    ("strdup", "sS", "string.h"),
    ("strlen", "zS", "string.h"),
    ("strncasecmp", "iSSz", "strings.h"),
    ("strncat", "ssSz", "string.h"),
    ("strncmp", "iSSz", "string.h"),
    ("strncpy", "ssSz", "string.h"),
    ("strndup", "sSz", "string.h"),
    ("strnlen", "zSz", "string.h"),
    ("strpbrk", "sSS", "string.h"),
    ("strrchr", "sSi", "string.h"),
    ("strspn", "zSS", "string.h"),
    ("strstr", "sSS", "string.h"),
    ("toascii", "ii", "ctype.h"),
    ("tolower", "ii", "ctype.h"),
    ("toupper", "ii", "ctype.h"),
    ("vfprintf", "ipSV", "stdio.h"),
    ("vfscanf", "ipSV", "stdio.h"),
    ("vprintf", "iSV", "stdio.h"),
    ("vscanf", "iSV", "stdio.h"),
    ("vsnprintf", "iszSV", "stdio.h"),
    ("vsprintf", "isSV", "stdio.h"),
    ("vsscanf", "iSSV", "stdio.h"),
];

/// Functions of `<math.h>` and `<complex.h>`, each of which exists for `float` (suffix `f`) and `long double` (suffix `l`) too.
static MATH: &[(&str, &str)] = &[
    ("acos", "dd"),
    ("acosh", "dd"),
    ("asin", "dd"),
    ("asinh", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atanh", "dd"),
    ("cabs", "dx"),
    ("carg", "dx"),
    ("cbrt", "dd"),
    ("ceil", "dd"),
    ("cimag", "dx"),
    ("conj", "xx"),
    ("copysign", "ddd"),
    ("cos", "dd"),
    ("cosh", "dd"),
    ("creal", "dx"),
    ("drem", "ddd"),
    ("erf", "dd"),
    ("erfc", "dd"),
    ("exp", "dd"),
    ("exp10", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("fdim", "ddd"),
    ("floor", "dd"),
    ("fma", "dddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("frexp", "ddI"),
    ("gamma", "dd"),
    ("hypot", "ddd"),
    ("ilogb", "id"),
    ("j0", "dd"),
    ("j1", "dd"),
    ("jn", "did"),
    ("ldexp", "ddi"),
    ("lgamma", "dd"),
    ("llrint", "qd"),
    ("llround", "qd"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("logb", "dd"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("modf", "ddF"),
    ("nearbyint", "dd"),
    ("nextafter", "ddd"),
    ("pow", "ddd"),
    ("remainder", "ddd"),
    ("remquo", "dddI"),
    ("rint", "dd"),
    ("round", "dd"),
    ("roundeven", "dd"),
    ("scalb", "ddd"),
    ("scalbln", "ddl"),
    ("scalbn", "ddi"),
    ("sin", "dd"),
    ("sinh", "dd"),
    ("sqrt", "dd"),
    ("tan", "dd"),
    ("tanh", "dd"),
    ("tgamma", "dd"),
    ("trunc", "dd"),
    ("y0", "dd"),
    ("y1", "dd"),
    ("yn", "did"),
];

/// The known function of a name.
pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    if let Ok(index) = FUNCTIONS.binary_search_by_key(&name, |&(name, ..)| name) {
        let (_, signature, header) = FUNCTIONS[index];
        return Some(LibraryFunction { signature, header, float: FloatKind::Double });
    }
    let math = |name: &str| {
        MATH.binary_search_by_key(&name, |&(name, _)| name).ok().map(|index| MATH[index].1)
    };
    let of = |signature, float| Some(LibraryFunction { signature, header: "math.h", float });
    if let Some(signature) = math(name) {
        return of(signature, FloatKind::Double);
    }
    if let Some(signature) = name.strip_suffix('f').and_then(math) {
        return of(signature, FloatKind::Float);
    }
    if let Some(signature) = name.strip_suffix('l').and_then(math) {
        return of(signature, FloatKind::LongDouble);
    }
    None
}

/// The header that defines a macro or type which is often missed.
pub(super) fn header_of_macro(name: &str) -> Option<&'static str> {
    Some(match name {
        "NULL" | "size_t" | "ptrdiff_t" | "offsetof" => "stddef.h",
        "EOF" | "stdin" | "stdout" | "stderr" | "FILE" | "BUFSIZ" => "stdio.h",
        "EXIT_SUCCESS" | "EXIT_FAILURE" | "RAND_MAX" => "stdlib.h",
        "INT_MAX" | "INT_MIN" | "UINT_MAX" | "CHAR_BIT" | "CHAR_MAX" | "CHAR_MIN" | "SHRT_MAX"
        | "SHRT_MIN" | "LONG_MAX" | "LONG_MIN" | "ULONG_MAX" | "LLONG_MAX" | "LLONG_MIN"
        | "ULLONG_MAX" => "limits.h",
        "INT8_MAX" | "INT16_MAX" | "INT32_MAX" | "INT64_MAX" | "UINT8_MAX" | "UINT16_MAX"
        | "UINT32_MAX" | "UINT64_MAX" | "SIZE_MAX" | "INT32_MIN" | "INT64_MIN" => "stdint.h",
        "true" | "false" | "bool" => "stdbool.h",
        "errno" | "ENOMEM" | "EINVAL" => "errno.h",
        "DBL_MAX" | "DBL_MIN" | "FLT_MAX" | "FLT_MIN" | "DBL_EPSILON" | "FLT_EPSILON" => "float.h",
        "INFINITY" | "NAN" | "HUGE_VAL" => "math.h",
        _ => return None,
    })
}

impl Sema<'_> {
    /// The function type of a signature.
    pub(super) fn signature_type(&mut self, signature: &str, float: FloatKind) -> QualType {
        let mut variadic = false;
        let mut types = Vec::with_capacity(signature.len());
        for letter in signature.chars() {
            if letter == '.' {
                variadic = true;
                continue;
            }
            types.push(self.signature_letter(letter, float));
        }
        let ret = types.remove(0);
        let function = FunctionType { ret, params: types, variadic, prototype: true };
        self.intern(TypeKind::Function(Box::new(function)))
    }

    fn signature_letter(&mut self, letter: char, float: FloatKind) -> QualType {
        let constant = crate::ast::Quals::CONST;
        match letter {
            'v' => self.basics.void,
            'b' => self.basics.bool_,
            'u' => self.basics.uint,
            'l' => self.basics.long,
            'L' => self.basics.ulong,
            'q' | 'w' => self.basics.llong,
            'z' => self.basics.size,
            't' => self.basics.ptrdiff,
            'd' => self.intern(TypeKind::Float(float)),
            'x' => self.intern(TypeKind::Complex(float)),
            'p' => self.basics.void_ptr,
            'P' => self.pointer_to(self.basics.void.with(constant)),
            's' => self.basics.char_ptr,
            'S' => self.pointer_to(self.basics.char.with(constant)),
            'F' => {
                let to = self.intern(TypeKind::Float(float));
                self.pointer_to(to)
            }
            'I' => self.pointer_to(self.basics.int),
            'V' => self.basics.va_list,
            'W' => self.wchar,
            _ => self.basics.int,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(MATH.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(find("fabsf").map(|f| f.float), Some(FloatKind::Float));
        assert_eq!(find("modf").map(|f| f.float), Some(FloatKind::Double));
        assert!(find("foo").is_none());
    }
}
