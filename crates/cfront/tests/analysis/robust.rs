//! No panic and no hang on any input: mutated programs go through the whole front end.

use crate::analysed;
use vergo_cfront::dump;
use vergo_cfront::target::DataModel;
use vergo_testkit::environment::slow;
use vergo_testkit::mutate::Mutator;

/// A program with a bit of everything, as raw material.
const EVERYTHING: &str = include_str!("../parser/everything.c");

pub(crate) const PIECES: &[&str] = &[
    "struct s { int a : 3, : 0; union { int b; float c; }; int d[]; } x = { 1, .c = 2, { 3, [4] = 5 } };",
    "int f(int n, int a[n][n + 1]) { int v[n]; typedef int row[n]; row r; return sizeof v + sizeof(row) + a[0][1] + r[0]; }",
    "enum e { A, B = A + 3, C = 1LL << 40 }; static const int k = B; int arr[B] = { [0 ... 2] = k };",
    "int g(x, y) char x; double y; { switch (x) { case 1 ... 3: default: goto l; } l: return ({ int z = y; z; }); }",
    "typedef float v4 __attribute__((vector_size(16))); v4 w; void h(void) { w = w + 1; w[2] = w[1] > 2 ? 1 : 2; (void)(w > w); __sync_fetch_and_add(&arr[0], 1); }",
    "void *p = &arr[1]; char t[] = \"abc\" \"def\"; _Static_assert(sizeof t == 7, \"t\"); int (*fp)(int, ...) = (void *)0;",
    "double _Complex z = 1.0; long double ld = 1e400L; unsigned __int128 big = (unsigned __int128)1 << 100; _BitInt(9) bi = 3wb;",
    "int va(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int r = __builtin_va_arg(ap, int); return r ? : _Generic(r, int: 1, default: 2); }",
];

#[test]
fn mutated_programs() {
    let mut mutator = Mutator::new(11);
    let mut seeds: Vec<&[u8]> = PIECES.iter().map(|piece| piece.as_bytes()).collect();
    let all = PIECES.join("\n");
    seeds.push(all.as_bytes());
    seeds.push(EVERYTHING.as_bytes());
    let rounds = if slow() { 40_000 } else { 600 };
    for round in 0..rounds {
        let text = if round % 50 == 0 { mutator.nested() } else { mutator.next(&seeds) };
        let model = if round % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let analysed = analysed(model, &text);
        // The tree is whole enough to be shown, whatever was wrong.
        let _ = dump::types(&analysed.unit);
        let _ = dump::layout(&analysed.unit);
    }
}

#[test]
fn pieces_are_accepted() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let text = PIECES.join("\n");
        let text = if model == DataModel::Ilp32 {
            text.replace("__int128", "long").replace("<< 100", "<< 10")
        } else {
            text
        };
        let analysed = analysed(model, text.as_bytes());
        assert!(!analysed.diags.has_errors(), "{}", analysed.messages());
    }
}
