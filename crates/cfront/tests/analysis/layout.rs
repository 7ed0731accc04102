//! Layout against the host's compiler, on random definitions.

use crate::{array_values, unit_of};
use expect_test::expect;
use std::fmt::Write;
use std::time::Duration;
use vergo_cfront::dump;
use vergo_cfront::hir::{ExprKind, Unit};
use vergo_cfront::target::DataModel;
use vergo_cfront::types::{QualType, RecordId, TypeKind};
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::records::{Options, Query, Records};

/// The first bit and the width of a bit-field, by its path from a record.
fn bit_field(unit: &Unit, record: RecordId, path: &str) -> Option<(u64, u32)> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    for field in unit.types.records[record].fields.iter().flatten() {
        let inner = unit.types.record(field.ty);
        match field.name {
            Some(symbol) if unit.names.name(symbol) == name => {
                return match (rest, field.bits, inner) {
                    (None, Some(bits), _) => {
                        Some((field.offset * 8 + u64::from(bits.first_bit), bits.width))
                    }
                    (Some(rest), None, Some(inner)) => bit_field(unit, inner, rest)
                        .map(|(first, width)| (first + field.offset * 8, width)),
                    _ => None,
                };
            }
            None => {
                if let Some((first, width)) = inner.and_then(|inner| bit_field(unit, inner, path)) {
                    return Some((first + field.offset * 8, width));
                }
            }
            Some(_) => {}
        }
    }
    None
}

fn record_named(unit: &Unit, name: &str) -> RecordId {
    let tag = name.split(' ').next_back().unwrap_or(name);
    unit.types
        .records
        .iter()
        .find(|(_, record)| record.tag.is_some_and(|symbol| unit.names.name(symbol) == tag))
        .map(|(id, _)| id)
        .expect("the record is defined")
}

/// Our answers, one line for each query.
fn answers(model: DataModel, records: &Records) -> String {
    let mut text = records.definitions.clone();
    text.push_str("unsigned long answers[] = {\n");
    for query in &records.queries {
        let _ = match query {
            Query::Size(name) => writeln!(text, "  sizeof({name}),"),
            Query::Align(name) => writeln!(text, "  _Alignof({name}),"),
            Query::Offset(name, member) => {
                writeln!(text, "  __builtin_offsetof({name}, {member}),")
            }
            Query::BitField(..) => writeln!(text, "  0,"),
        };
    }
    text.push_str("};\n");
    let unit = unit_of(model, &text);
    let values = array_values(&unit, "answers");
    let mut out = String::new();
    for (query, value) in records.queries.iter().zip(values) {
        let _ = match query {
            Query::BitField(name, member) => {
                let record = record_named(&unit, name);
                let (first, width) =
                    bit_field(&unit, record, member).expect("the bit-field exists");
                writeln!(out, "{first} {width}")
            }
            _ => match unit.exprs[value].kind {
                ExprKind::Int(value) => writeln!(out, "{value}"),
                _ => writeln!(out, "not constant"),
            },
        };
    }
    out
}

fn compare(model: DataModel, gcc: &HostC, seeds: std::ops::Range<u64>) {
    let folder = Scratch::new("layout").expect("a folder");
    for seed in seeds {
        let wide = model == DataModel::Lp64;
        let options =
            Options { n_records: 60, bit_fields: seed % 4 != 0, attributes: seed % 3 != 0, wide };
        let mut records = Records::generate(seed, options);
        // The attribute may ask for less than the type has, the keyword may not.
        records.definitions =
            records.definitions.replace("_Alignas(16)", "__attribute__((aligned(16)))");
        let finished = gcc
            .run_text(&folder, &records.probe_program(), &["-w"], Duration::from_secs(20))
            .expect("the compiler runs");
        if !finished.success() {
            // Some definitions are wrong; we have to say so too.
            let ours = crate::analysed(model, records.definitions.as_bytes());
            assert!(ours.diags.has_errors(), "seed {seed}\n{}", finished.stderr_text());
            continue;
        }
        let (ours, theirs) = (answers(model, &records), finished.stdout_text());
        for ((query, ours), theirs) in records.queries.iter().zip(ours.lines()).zip(theirs.lines())
        {
            assert_eq!(ours, theirs, "seed {seed}, {query:?}\n{}", records.definitions);
        }
        assert_eq!(ours.lines().count(), theirs.lines().count());
    }
}

#[test]
fn records_of_64_bit_targets() {
    let Some(gcc) = HostC::find() else {
        return skip("records_of_64_bit_targets", "there is no gcc");
    };
    compare(DataModel::Lp64, &gcc, 0..if slow() { 200 } else { 6 });
}

#[test]
fn records_of_32_bit_targets() {
    let Some(gcc) = HostC::find().and_then(|gcc| gcc.for_32_bits()) else {
        return skip("records_of_32_bit_targets", "there is no gcc -m32");
    };
    compare(DataModel::Ilp32, &gcc, 1000..if slow() { 1200 } else { 1006 });
}

/// Definitions that the generator does not make: vectors, aligned typedefs, pragmas, enumerations.
const ODD_DEFINITIONS: &str = "
typedef int aligned_int __attribute__((aligned(16)));
typedef int loose_int __attribute__((aligned(2)));
typedef float v4 __attribute__((vector_size(16)));
typedef short v2s __attribute__((vector_size(4)));
typedef long long ll8 __attribute__((aligned(8)));
struct a { char c; aligned_int i; loose_int l; };
struct b { char c; v4 v; char d; v2s w; };
struct c { char c; ll8 l; };
struct d { char c; ll8 l; } __attribute__((packed));
struct e {};
struct f { struct e e; int x; };
union g { struct e e; char c[3]; short s; };
#pragma pack(push, 2)
struct h { char c; int i; double d; struct { char x; long long y; } in; };
struct i { char c; int b : 7; unsigned long long w : 40; short s; };
#pragma pack(pop)
struct j { char c; int i; };
#pragma pack(1)
struct k { char c; int i __attribute__((aligned(8))); long l; };
#pragma pack()
enum small { S0, S1 = 200 } __attribute__((packed));
enum negative { N = -1, M = 70000 };
enum big { B = 0x100000000LL };
struct l { enum small s; enum negative n; enum big b; };
struct m { int a; char flexible[]; };
struct n { char c; struct m m; };
struct o { _Bool b : 1; _Bool c; char d : 4; int e : 20; };
struct p { char a; int : 0; char b; long : 0; char c; };
struct q { float _Complex fc; char x; double _Complex dc; };
struct __attribute__((aligned)) r { char c; };
struct s { char a[3]; struct r r; };
struct t { long double ld; char c; };
struct u { _Atomic long long a; char c; _Atomic int i; };
struct v { short a : 5; int b : 30; char c : 3; long long d : 33; };
struct w { char c; __attribute__((packed)) int i; int j; };
struct x { int *p; char c; void (*f)(void); } __attribute__((packed, aligned(4)));
";

#[test]
fn odd_definitions() {
    let Some(gcc) = HostC::find() else { return skip("odd_definitions", "there is no gcc") };
    let mut program = format!("#include <stdio.h>\n{ODD_DEFINITIONS}\nint main(void) {{\n");
    let mut ours_text = format!("{ODD_DEFINITIONS}\nunsigned long answers[] = {{\n");
    let mut questions = Vec::new();
    for letter in 'a'..='x' {
        let keyword = if letter == 'g' { "union" } else { "struct" };
        for operator in ["sizeof", "_Alignof", "__alignof__"] {
            questions.push(format!("{operator}({keyword} {letter})"));
        }
    }
    for ty in
        ["double", "long long", "long double", "v4", "aligned_int", "loose_int", "ll8[3]", "int[2]"]
    {
        for operator in ["sizeof", "_Alignof", "__alignof__"] {
            questions.push(format!("{operator}({ty})"));
        }
    }
    for name in
        ["struct a, l", "struct b, d", "struct b, w", "struct c, l", "struct d, l", "struct f, x"]
    {
        questions.push(format!("__builtin_offsetof({name})"));
    }
    for name in [
        "struct h, d",
        "struct h, in.y",
        "struct i, s",
        "struct k, i",
        "struct k, l",
        "struct l, b",
    ] {
        questions.push(format!("__builtin_offsetof({name})"));
    }
    for name in
        ["struct n, m", "struct p, b", "struct p, c", "struct q, dc", "struct s, r", "struct w, j"]
    {
        questions.push(format!("__builtin_offsetof({name})"));
    }
    for question in &questions {
        let _ = writeln!(program, "  printf(\"%lu\\n\", (unsigned long){question});");
        let _ = writeln!(ours_text, "  {question},");
    }
    program.push_str("  return 0;\n}\n");
    ours_text.push_str("};\n");
    let folder = Scratch::new("odd").expect("a folder");
    let hosts = [(DataModel::Lp64, Some(gcc.clone())), (DataModel::Ilp32, gcc.for_32_bits())];
    for (model, host) in hosts {
        let Some(host) = host else { continue };
        let finished = host
            .run_text(&folder, &program, &["-w"], Duration::from_secs(20))
            .expect("the compiler runs");
        assert!(finished.success(), "{}", finished.stderr_text());
        let unit = unit_of(model, &ours_text);
        let values = array_values(&unit, "answers");
        let theirs = finished.stdout_text();
        let mut wrong = String::new();
        for ((question, value), theirs) in questions.iter().zip(values).zip(theirs.lines()) {
            let ours = match unit.exprs[value].kind {
                ExprKind::Int(value) => value.to_string(),
                _ => "not constant".to_owned(),
            };
            if ours != theirs {
                let _ = writeln!(wrong, "{model:?} {question}: {ours}, gcc says {theirs}");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn dump_shows_holes_and_bits() {
    let unit = unit_of(
        DataModel::Lp64,
        "struct p { char c; int x; unsigned a : 3, b : 7; double d; char e; };
         union u { int i; struct p p; char *s; };",
    );
    expect![[r#"
        struct p { // size 32, align 8
            char c;                                  //      0      1
            /* hole */                               //      1      3
            int x;                                   //      4      4
            unsigned int a : 3;                      //    8:0      3 bits
            unsigned int b : 7;                      //    8:3      7 bits
            /* hole */                               //    9:2     54 bits
            double d;                                //     16      8
            char e;                                  //     24      1
            /* padding */                            //     25      7
        };

        union u { // size 32, align 8
            int i;                                   //      0      4
            struct p p;                              //      0     32
            char *s;                                 //      0      8
        };
    "#]]
    .assert_eq(&dump::layout(&unit));
}

#[test]
fn types_are_interned() {
    let unit =
        unit_of(DataModel::Lp64, "int *a; int *b; int (*c)[3], (*d)[3]; struct s { int x; } e, f;");
    let ty = |name: &str| unit.vars[crate::variable(&unit, name)].ty;
    assert_eq!(ty("a"), ty("b"));
    assert_eq!(ty("c"), ty("d"));
    assert_eq!(ty("e"), ty("f"));
    let record: QualType = ty("e");
    assert!(matches!(unit.types.kind(record), TypeKind::Record(_)));
}
