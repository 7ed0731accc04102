//! The data model: sizes and alignments of the basic types. Always a parameter, never a global.

/// The data models of the tasks that Vergo is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers: `gcc -m32` on x86.
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers: `gcc -m64` on x86-64.
    Lp64,
}

/// Sizes and alignments in bytes, derived from the data model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The data model that this describes.
    pub model: DataModel,
    /// Size of `long`, and of pointers and `size_t`.
    pub word: u64,
    /// Alignment of `long long`, `double` and `_Complex double` as members (4 on i386, 8 on x86-64).
    pub wide_align: u64,
    /// Size of `long double` in bytes (12 or 16); its value format is x87 extended in both.
    pub long_double_size: u64,
    /// Alignment of `long double`.
    pub long_double_align: u64,
    /// The alignment that `__attribute__((aligned))` without a value means.
    pub max_align: u64,
}

impl Target {
    /// The x86 target of a data model.
    pub fn new(model: DataModel) -> Target {
        match model {
            DataModel::Ilp32 => Target {
                model,
                word: 4,
                wide_align: 4,
                long_double_size: 12,
                long_double_align: 4,
                max_align: 16,
            },
            DataModel::Lp64 => Target {
                model,
                word: 8,
                wide_align: 8,
                long_double_size: 16,
                long_double_align: 16,
                max_align: 16,
            },
        }
    }
}
