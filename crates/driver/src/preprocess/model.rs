//! The data model in the preprocessor's macros, for hosts whose compiler lacks the option.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use vergo_cfront::target::DataModel;

/// Macros with different values: name, ILP32, LP64. An empty value leaves the macro undefined.
const MACROS: &[(&str, &str, &str)] = &[
    // tidy: sorted
    ("_ILP32", "1", ""),
    ("_LP64", "", "1"),
    ("__ILP32__", "1", ""),
    ("__INT64_C(c)", "c ## LL", "c ## L"),
    ("__INT64_MAX__", "0x7fffffffffffffffLL", "0x7fffffffffffffffL"),
    ("__INT64_TYPE__", "long long int", "long int"),
    ("__INTMAX_C(c)", "c ## LL", "c ## L"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffLL", "0x7fffffffffffffffL"),
    ("__INTMAX_TYPE__", "long long int", "long int"),
    ("__INTPTR_MAX__", "0x7fffffff", "0x7fffffffffffffffL"),
    ("__INTPTR_TYPE__", "int", "long int"),
    ("__INTPTR_WIDTH__", "32", "64"),
    ("__INT_FAST16_MAX__", "0x7fffffff", "0x7fffffffffffffffL"),
    ("__INT_FAST16_TYPE__", "int", "long int"),
    ("__INT_FAST16_WIDTH__", "32", "64"),
    ("__INT_FAST32_MAX__", "0x7fffffff", "0x7fffffffffffffffL"),
    ("__INT_FAST32_TYPE__", "int", "long int"),
    ("__INT_FAST32_WIDTH__", "32", "64"),
    ("__INT_FAST64_MAX__", "0x7fffffffffffffffLL", "0x7fffffffffffffffL"),
    ("__INT_FAST64_TYPE__", "long long int", "long int"),
    ("__INT_LEAST64_MAX__", "0x7fffffffffffffffLL", "0x7fffffffffffffffL"),
    ("__INT_LEAST64_TYPE__", "long long int", "long int"),
    ("__LONG_MAX__", "0x7fffffffL", "0x7fffffffffffffffL"),
    ("__LONG_WIDTH__", "32", "64"),
    ("__LP64__", "", "1"),
    ("__PTRDIFF_MAX__", "0x7fffffff", "0x7fffffffffffffffL"),
    ("__PTRDIFF_TYPE__", "int", "long int"),
    ("__PTRDIFF_WIDTH__", "32", "64"),
    ("__SIZEOF_FLOAT80__", "12", "16"),
    ("__SIZEOF_INT128__", "", "16"),
    ("__SIZEOF_LONG_DOUBLE__", "12", "16"),
    ("__SIZEOF_LONG__", "4", "8"),
    ("__SIZEOF_POINTER__", "4", "8"),
    ("__SIZEOF_PTRDIFF_T__", "4", "8"),
    ("__SIZEOF_SIZE_T__", "4", "8"),
    ("__SIZE_MAX__", "0xffffffffU", "0xffffffffffffffffUL"),
    ("__SIZE_TYPE__", "unsigned int", "long unsigned int"),
    ("__SIZE_WIDTH__", "32", "64"),
    ("__UINT64_C(c)", "c ## ULL", "c ## UL"),
    ("__UINT64_MAX__", "0xffffffffffffffffULL", "0xffffffffffffffffUL"),
    ("__UINT64_TYPE__", "long long unsigned int", "long unsigned int"),
    ("__UINTMAX_C(c)", "c ## ULL", "c ## UL"),
    ("__UINTMAX_MAX__", "0xffffffffffffffffULL", "0xffffffffffffffffUL"),
    ("__UINTMAX_TYPE__", "long long unsigned int", "long unsigned int"),
    ("__UINTPTR_MAX__", "0xffffffffU", "0xffffffffffffffffUL"),
    ("__UINTPTR_TYPE__", "unsigned int", "long unsigned int"),
    ("__UINT_FAST16_MAX__", "0xffffffffU", "0xffffffffffffffffUL"),
    ("__UINT_FAST16_TYPE__", "unsigned int", "long unsigned int"),
    ("__UINT_FAST32_MAX__", "0xffffffffU", "0xffffffffffffffffUL"),
    ("__UINT_FAST32_TYPE__", "unsigned int", "long unsigned int"),
    ("__UINT_FAST64_MAX__", "0xffffffffffffffffULL", "0xffffffffffffffffUL"),
    ("__UINT_FAST64_TYPE__", "long long unsigned int", "long unsigned int"),
    ("__UINT_LEAST64_MAX__", "0xffffffffffffffffULL", "0xffffffffffffffffUL"),
    ("__UINT_LEAST64_TYPE__", "long long unsigned int", "long unsigned int"),
    ("__WCHAR_MAX__", "0x7fffffffL", "0x7fffffff"),
    ("__WCHAR_TYPE__", "long int", "int"),
    ("__amd64", "", "1"),
    ("__amd64__", "", "1"),
    ("__i386", "1", ""),
    ("__i386__", "1", ""),
    ("__x86_64", "", "1"),
    ("__x86_64__", "", "1"),
    // tidy: end
];

/// The options that describe a data model to a preprocessor for another one.
pub(super) fn model_macros(model: DataModel) -> Vec<String> {
    let mut options = Vec::new();
    for (name, ilp32, lp64) in MACROS {
        let value = match model {
            DataModel::Ilp32 => ilp32,
            DataModel::Lp64 => lp64,
        };
        let plain = name.split('(').next().unwrap_or(name);
        options.push(format!("-U{plain}"));
        if !value.is_empty() {
            options.push(format!("-D{name}={value}"));
        }
    }
    options
}

/// A folder with the empty headers that the GNU C library wants for another data model.
///
/// `gnu/stubs-32.h` lists functions that always fail; it belongs to the 32-bit library, which is
/// not needed to read declarations.
pub(super) struct StubHeaders(PathBuf);

impl StubHeaders {
    pub(super) fn new() -> Option<StubHeaders> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("vergo-headers-{}-{number}", std::process::id());
        let stubs = StubHeaders(std::env::temp_dir().join(name));
        let folder = stubs.0.join("gnu");
        std::fs::create_dir_all(&folder).ok()?;
        for name in ["stubs-32.h", "stubs-64.h", "stubs-x32.h"] {
            std::fs::write(folder.join(name), "").ok()?;
        }
        Some(stubs)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for StubHeaders {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
