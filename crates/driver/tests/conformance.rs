//! The conformance suite of GOTO: every program is judged as it says, as text and as both binaries, and the binaries are those
//! that the writer makes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use vergo_driver::{
    Answer, BinaryDialect, CheckRequest, GotoRequest, Input, Job, Specification, check, goto_binary,
};
use vergo_goto::expr::ExprKind;
use vergo_goto::text::parse;

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut found = Vec::new();
    for kind in std::fs::read_dir(root).unwrap().flatten().filter(|e| e.path().is_dir()) {
        let files = std::fs::read_dir(kind.path()).unwrap().flatten().map(|e| e.path());
        found.extend(files.filter(|path| path.extension().is_some_and(|e| e == "goto")));
    }
    found.sort();
    found
}

/// Returns whether a program has a form: a line names the dialect that has no words for it.
fn has_form(text: &str, ending: &str) -> bool {
    !text.lines().any(|line| line.strip_prefix("// not in ") == Some(ending))
}

fn answer(path: &Path) -> String {
    let request = CheckRequest {
        specification: Specification::from_name("user.assert").unwrap(),
        ..CheckRequest::default()
    };
    let inputs = [Input::File(path.to_owned())];
    match check(&mut Job::default(), &inputs, &request, &|_| {}) {
        Ok(report) => match report.answer {
            Answer::True => "true".to_owned(),
            Answer::False(_) => "false".to_owned(),
            Answer::Unknown(reason) => reason.to_string(),
        },
        Err(_) => "no program".to_owned(),
    }
}

#[test]
fn programs_are_judged_as_they_say() {
    let programs = programs();
    assert!(programs.len() >= 184, "{} programs", programs.len());
    for path in programs {
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text.lines().find_map(|line| line.strip_prefix("// expect: ")).unwrap();
        for ending in ["goto", "cbmc", "esbmc"].into_iter().filter(|e| has_form(&text, e)) {
            let file = path.with_extension(ending);
            assert_eq!(answer(&file), expected, "{}", file.display());
        }
    }
}

#[test]
fn binaries_are_those_that_are_written() {
    for path in programs() {
        let dialects = [("cbmc", BinaryDialect::Cbmc), ("esbmc", BinaryDialect::Esbmc)];
        // Places in a binary name the file, not where it lies on this machine.
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let inputs = [Input::Text { name, text: std::fs::read(&path).unwrap() }];
        for (ending, dialect) in dialects {
            let bytes = goto_binary(&mut Job::default(), &inputs, &GotoRequest::default(), dialect);
            if !has_form(&std::fs::read_to_string(&path).unwrap(), ending) {
                assert!(bytes.is_err(), "{} can be written for {dialect}", path.display());
                continue;
            }
            let stored = std::fs::read(path.with_extension(ending)).unwrap();
            assert!(
                bytes.is_ok_and(|bytes| bytes == stored),
                "{} is another: cargo xtask conformance --write",
                path.with_extension(ending).display()
            );
        }
    }
}

/// The operators that programs use, by their names.
#[test]
fn every_expression_that_binaries_have_is_there() {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut instructions: BTreeSet<String> = BTreeSet::new();
    let word = |text: String| text.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
    for path in programs() {
        let program = parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (_, expr) in program.exprs.iter() {
            used.insert(match &expr.kind {
                ExprKind::Unary(op, _) => word(format!("{op:?}")),
                ExprKind::Binary(op, ..) => word(format!("{op:?}")),
                ExprKind::Memory(op, _) => word(format!("{op:?}")),
                kind => word(format!("{kind:?}")),
            });
        }
        for instr in program.functions.values().flat_map(|f| f.body.iter().flatten()) {
            instructions.insert(word(format!("{:?}", instr.kind)));
        }
    }
    let expected = "Bool Int Float Zero Function Nondet Struct Union Array ArrayOf Symbol Deref Member Index AddressOf \
        Cast Bits Ite Neg BitNot Not Abs IsNan IsInf IsNormal IsSubnormal SignBit LeadingZeros TrailingZeros PopCount \
        ByteSwap Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr Eq Ne Lt Le And Or Implies PtrAdd PtrDiff AddOverflows \
        SubOverflows MulOverflows ShlOverflows IeeeRem Min Max RoundToIntegral IsLive ObjectSize Offset SameObject IsHeap IsWritable";
    for name in expected.split_whitespace() {
        assert!(used.contains(name), "no program has {name}");
    }
    let expected = "Skip Label Assign Assume Assert Goto Call Return Decl Dead Alloc Free AtomicBegin AtomicEnd End Spawn";
    for name in expected.split_whitespace() {
        assert!(instructions.contains(name), "no program has {name}");
    }
}
