//! SMT-LIB text: scripts in and out, errors, and depth.

use expect_test::{Expect, expect};
use std::fmt::Write;
use vergo_num::{BitVec, Float, FloatFormat};
use vergo_term::smtlib::{
    Command, Reader, ScriptWriter, SmtErrorKind, Symbols, parse_term, print_command, print_script,
    print_sort, print_symbol, print_term, print_value, read_script,
};
use vergo_term::{ArrayValue, Assignment, Rewriting, Sort, TermId, TermStore};

fn assertions(script: &[vergo_term::smtlib::Located]) -> Vec<TermId> {
    script
        .iter()
        .filter_map(|located| match located.command {
            Command::Assert { term, .. } => Some(term),
            _ => None,
        })
        .collect()
}

fn check_errors(text: &str, expected: Expect) {
    let mut store = TermStore::new();
    let mut reader = Reader::new(text);
    let mut out = String::new();
    while let Some(result) = reader.next_command(&mut store) {
        if let Err(error) = result {
            let _ = writeln!(out, "{:?} {error}", error.kind);
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn errors_have_positions() {
    check_errors(
        "(declare-const x (_ BitVec 8))
(assert (= x #b1))
(assert (bvadd x x))
(assert (= y x))
(declare-const x Bool)
(declare-fun f (Bool) Bool)
(assert (forall ((z Bool)) z))
(assert (= x (_ bv300 8)))
(assert (= x ((_ extract 8 0) x)))
(assert (let ((z x) (w)) true))
(declare-const z (_ BitVec 0))
(declare-const z (_ FloatingPoint 1 5))
(declare-const z (Array (Array Bool Bool) Bool))
(declare-const z Int)
(declare-const z (Foo 3))
(push 2) (pop 3)
(assert (+ 1 2))
(assert (= x ((_ zero_extend 4000000000) x)))
(frobnicate)
(assert)
5
(assert (= x #xg0))
",
        expect![[r#"
            Sort 2:9: operands of `=` have the wrong number or sorts
            Sort 3:9: expected a truth value
            Symbol 4:12: unknown symbol `y`
            Symbol 5:16: `x` is declared already
            Unsupported 7:9: `forall` is not supported
            Sort 8:14: `bv300` does not fit 8 bits
            Sort 9:14: operands of `extract` have the wrong number or sorts
            Syntax 10:21: expected a symbol and a term
            Syntax 11:28: a word has at least one bit
            Unsupported 12:18: floating-point format is not supported
            Unsupported 13:18: arrays indexed by arrays are not supported
            Unsupported 14:18: sort `Int` is not supported
            Syntax 15:23: expected a sort
            Symbol 16:10: there is no level to pop
            Unsupported 17:9: `+` of numbers is not supported: use `(_ bvN width)` for words
            Unsupported 18:14: word is too wide
            Syntax 19:2: unknown command `frobnicate`
            Syntax 20:1: `assert` takes 1 argument
            Syntax 21:1: expected a command
            Syntax 22:14: malformed literal
        "#]],
    );
    check_errors(
        "(assert (and true",
        expect![[r#"
        Syntax 1:9: this parenthesis is never closed
    "#]],
    );
    check_errors(
        "(check-sat))(check-sat)",
        expect![[r#"
        Syntax 1:12: there is no open parenthesis to close
    "#]],
    );
    check_errors(
        "(echo \"abc",
        expect![[r#"
        Syntax 1:7: string is not closed
    "#]],
    );
    check_errors(
        "(assert |x",
        expect![[r#"
        Syntax 1:9: quoted symbol is not closed
    "#]],
    );
}

/// An error within a `let` leaves no binding behind.
#[test]
fn errors_do_not_leak_bindings() {
    let text = "(declare-const p Bool)
        (assert (let ((q p)) (let ((r q)) (and r unknown))))
        (assert q)
        (assert (let ((q (and p unknown))) q))
        (assert p)";
    let mut store = TermStore::new();
    let mut reader = Reader::new(text);
    let mut kinds = Vec::new();
    while let Some(result) = reader.next_command(&mut store) {
        kinds.push(result.map(|_| ()).map_err(|error| error.message));
    }
    let unknown = |name: &str| Err(format!("unknown symbol `{name}`"));
    assert_eq!(kinds, [Ok(()), unknown("unknown"), unknown("q"), unknown("unknown"), Ok(())]);
}

#[test]
fn declarations_obey_levels() {
    let text =
        "(declare-const x Bool)(push 1)(declare-const y Bool)(define-fun g ((a Bool)) Bool (not a))
        (define-sort W (I) (Array I (_ BitVec 8)))(declare-const a (W (_ BitVec 4)))
        (assert (! (g y) :named n))(pop 1)(declare-const y (_ BitVec 3))(declare-const n Bool)
        (assert (= y #b101))(reset)(declare-const x (_ BitVec 2))";
    let mut store = TermStore::new();
    let script = read_script(&mut store, text).unwrap();
    assert_eq!(script.len(), 13);
    let Command::Assert { term, name } = &script[6].command else { panic!("an assertion") };
    assert_eq!(print_term(&store, *term), "(not y)");
    assert_eq!(name.as_deref(), Some("n"));
    assert!(read_script(&mut store, "(push)(declare-const x Bool)(pop)(assert x)").is_err());
    let global = "(set-option :global-declarations true)(push)(declare-const x Bool)(pop)(assert x)
        (push)(reset-assertions)(assert x)";
    assert!(read_script(&mut store, global).is_ok());
}

/// Old scripts take truth values for bits and the other way round.
#[test]
fn bits_and_truth_values_mix() {
    let mut store = TermStore::new();
    let text = "(declare-const b (_ BitVec 1))(declare-const p Bool)(declare-const x (_ BitVec 4))
        (define-fun f ((q Bool)) (_ BitVec 1) (not q))
        (assert (= b (bvult x x)))(assert b)(assert (and p b))(assert (bvand b p))(assert (f b))
        (assert (= (ite b x (bvneg x)) x))";
    let script = read_script(&mut store, text).unwrap();
    let printed: Vec<String> =
        assertions(&script).iter().map(|&term| print_term(&store, term)).collect();
    expect![[r#"
        (not (= b #b1))
        (= b #b1)
        (and p (= b #b1))
        (and p (= b #b1))
        (not (= b #b1))
        (or (= b #b1) (= x (bvneg x)))"#]]
    .assert_eq(&printed.join("\n"));
}

#[test]
fn commands_read_back() {
    let text = "(set-logic QF_ABVFP)
(set-option :produce-models true)
(set-info :status sat)
(set-info :source |two
lines|)
(declare-const |odd name| (_ BitVec 8))
(declare-const f (_ FloatingPoint 8 24))
(declare-const a (Array (_ BitVec 4) (Array Bool (_ BitVec 8))))
(define-fun twice ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x x))
(assert (! (= (twice |odd name|) #x10) :named first))
(assert (let ((x (bvmul |odd name| |odd name|))) (bvult x (bvadd x (select (select a #x3) true)))))
(assert (fp.leq f (fp #b0 #x80 #b00000000000000000000001)))
(check-sat)
(check-sat-assuming ((fp.isNaN f)))
(push 1)
(get-value (f (twice |odd name|)))
(pop 1)
(get-interpolants first (and second third))
(get-interpolant I (fp.isZero f))
(get-unsat-core)
(get-info :name)
(get-option :verbosity)
(echo \"say \"\"hi\"\"\")
(get-model)
(get-unsat-assumptions)
(reset-assertions)
(exit)
";
    let mut store = TermStore::new();
    let script = read_script(&mut store, text).unwrap();
    let printed: Vec<String> =
        script.iter().map(|located| print_command(&store, &located.command)).collect();
    let printed = printed.join("\n");
    let again = read_script(&mut store, &printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(assertions(&script), assertions(&again));
    expect![[r#"
        (set-logic QF_ABVFP)
        (set-option :produce-models true)
        (set-info :status sat)
        (set-info :source "two
        lines")
        (declare-const |odd name| (_ BitVec 8))
        (declare-const f (_ FloatingPoint 8 24))
        (declare-const a (Array (_ BitVec 4) (Array Bool (_ BitVec 8))))
        (define-fun twice ((twice.x!0 (_ BitVec 8))) (_ BitVec 8) (concat ((_ extract 6 0) twice.x!0) #b0))
        (assert (! (= ((_ extract 6 0) |odd name|) #b0001000) :named first))
        (assert (let ((?0 (bvmul |odd name| |odd name|))) (bvult ?0 (bvadd ?0 (select (select a #x3) true)))))
        (assert (fp.leq f (fp #b0 #x80 #b00000000000000000000001)))
        (check-sat)
        (check-sat-assuming ((fp.isNaN f)))
        (push 1)
        (get-value (f (concat ((_ extract 6 0) |odd name|) #b0)))
        (pop 1)
        (get-interpolants first (and second third))
        (get-interpolant I (fp.isZero f))
        (get-unsat-core)
        (get-info :name)
        (get-option :verbosity)
        (echo "say ""hi""")
        (get-model)
        (get-unsat-assumptions)
        (reset-assertions)
        (exit)"#]]
    .assert_eq(&printed);
}

#[test]
fn scripts_define_shared_terms_once() {
    let mut store = TermStore::new();
    let x = store.var("x", Sort::BitVec(8));
    let square = store.bv_mul(x, x);
    let three = store.bv_u64(8, 3);
    let sum = store.bv_add(square, x);
    let first = store.eq(square, three);
    let second = store.bv_ult(sum, square);
    expect![[r#"
        (set-logic QF_BV)
        (declare-const x (_ BitVec 8))
        (define-fun |let t3| () (_ BitVec 8) (bvmul x x))
        (assert (= |let t3| #x03))
        (assert (bvult (bvadd x |let t3|) |let t3|))
        (check-sat)
        (exit)
    "#]]
    .assert_eq(&print_script(&mut store, "QF_BV", &[first, second]));
    // A second assertion uses what the first one declared and defined.
    let mut writer = ScriptWriter::new();
    writer.terms(&mut store, &[first, second]);
    assert_eq!(writer.assert(&mut store, first), "(assert (= |let t3| #x03))\n");
}

/// Results that the kernel fixes and the standard leaves open are guarded for other solvers, and
/// open when read.
#[test]
fn open_results_of_floats() {
    let mut store = TermStore::new();
    let mut symbols = Symbols::new();
    let f = store.var("f", Sort::Float(FloatFormat::ieee(2, 3)));
    symbols.define("f", f);
    // The two orders of zeros are independent choices, but each is one.
    let read = |store: &mut TermStore, symbols: &mut Symbols, text: &str| {
        parse_term(store, text, symbols).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let one = read(&mut store, &mut symbols, "(fp.min (_ +zero 2 3) (_ -zero 2 3))");
    let other = read(&mut store, &mut symbols, "(fp.min (_ -zero 2 3) (_ +zero 2 3))");
    let again = read(&mut store, &mut symbols, "(fp.min (_ +zero 2 3) (_ -zero 2 3))");
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!(!store.is_value(one));
    // In range, nothing is open.
    let two = read(&mut store, &mut symbols, "((_ fp.to_ubv 3) RNE (fp #b0 #b10 #b00))");
    assert_eq!(store.bv_value(two), Some(&BitVec::from_u64(3, 2)));
    let open = read(&mut store, &mut symbols, "((_ fp.to_ubv 3) RNE (_ NaN 2 3))");
    assert!(!store.is_value(open));
    // Written and read again, the kernel's minimum means the same.
    let g = store.var("g", Sort::Float(FloatFormat::ieee(2, 3)));
    let minimum = store.fp_min(f, g);
    let nan = store.fp_is_negative(minimum);
    let text = print_script(&mut store, "QF_FP", &[nan]);
    let script = read_script(&mut store, &text).unwrap();
    let read_back = assertions(&script)[0];
    for bits in 0..1u64 << 10 {
        let word = BitVec::from_u64(10, bits);
        let format = FloatFormat::ieee(2, 3);
        let mut assignment = Assignment::new();
        assignment.set(store.as_var(f).unwrap(), Float::from_bits(format, word.extract(9, 5)));
        assignment.set(store.as_var(g).unwrap(), Float::from_bits(format, word.extract(4, 0)));
        assert_eq!(store.eval(nan, &assignment), store.eval(read_back, &assignment));
    }
}

/// Scripts for other solvers spell out the overflow of products.
#[test]
fn product_overflow_is_spelt_out() {
    let mut store = TermStore::new();
    let (x, y) = (store.var("x", Sort::BitVec(4)), store.var("y", Sort::BitVec(4)));
    for overflow in [store.bv_umulo(x, y), store.bv_smulo(x, y)] {
        let text = print_script(&mut store, "QF_BV", &[overflow]);
        assert!(!text.contains("mulo"), "{text}");
        let read_back = assertions(&read_script(&mut store, &text).unwrap())[0];
        for bits in 0..1u64 << 8 {
            let mut assignment = Assignment::new();
            assignment.set(store.as_var(x).unwrap(), BitVec::from_u64(4, bits >> 4));
            assignment.set(store.as_var(y).unwrap(), BitVec::from_u64(4, bits));
            assert_eq!(store.eval(overflow, &assignment), store.eval(read_back, &assignment));
        }
    }
}

#[test]
fn values_print_as_literals() {
    let mut store = TermStore::new();
    let sort = store.array_sort(Sort::BitVec(2), Sort::Bool);
    let mut array = ArrayValue::constant(false.into(), Some(4));
    array.store(&BitVec::from_u64(2, 3).into(), true.into());
    array.store(&BitVec::from_u64(2, 1).into(), true.into());
    let text = print_value(&store, sort, &array.into());
    expect!["(store (store ((as const (Array (_ BitVec 2) Bool)) false) #b01 true) #b11 true)"]
        .assert_eq(&text);
    assert_eq!(print_sort(&store, sort), "(Array (_ BitVec 2) Bool)");
    for (name, quoted) in
        [("x", "x"), ("", "||"), ("a b", "|a b|"), ("3x", "|3x|"), ("let", "|let|")]
    {
        assert_eq!(print_symbol(name), quoted);
    }
    let half = |text: &str| {
        let mode = vergo_num::RoundingMode::NearestEven;
        let value = Float::parse(FloatFormat::HALF, mode, text).unwrap();
        print_value(&store, Sort::Float(FloatFormat::HALF), &value.into())
    };
    assert_eq!(half("-inf"), "(_ -oo 5 11)");
    assert_eq!(half("nan"), "(_ NaN 5 11)");
    assert_eq!(half("-0.0"), "(_ -zero 5 11)");
    assert_eq!(half("1.5"), "(fp #b0 #b01111 #b1000000000)");
}

/// A million levels of everything that nests.
#[test]
fn depth_is_no_limit() {
    const DEPTH: usize = 1_000_000;
    let mut store = TermStore::new();
    // A chain of alternating operators that no rule shortens.
    let sort = Sort::BitVec(8);
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let mut term = x;
    for i in 0..DEPTH {
        term = if i % 2 == 0 { store.bv_mul(term, y) } else { store.bv_udiv(term, x) };
    }
    let size = store.size(term);
    assert_eq!((size.depth, size.dag, size.tree), (DEPTH + 1, DEPTH + 2, 2 * DEPTH as u64 + 1));
    assert_eq!(store.free_vars(&[term]).len(), 2);
    let mut assignment = Assignment::new();
    assignment.set(store.as_var(x).unwrap(), BitVec::from_u64(8, 1));
    assignment.set(store.as_var(y).unwrap(), BitVec::from_u64(8, 3));
    let value = store.eval(term, &assignment);
    let swapped = store.substitute(term, &[(x, y), (y, x)].into_iter().collect());
    assert_ne!(swapped, term);
    let text = print_term(&store, term);
    let mut symbols = Symbols::new();
    symbols.define("x", x);
    symbols.define("y", y);
    assert_eq!(parse_term(&mut store, &text, &mut symbols), Ok(term));
    assert_eq!(store.eval(term, &assignment), value);

    // A history of writes: each version of the array is a value.
    let array = store.array_sort(sort, sort);
    let mut history = store.var("a", array);
    for i in 0..DEPTH / 20 {
        let index = if i % 2 == 0 { store.bv_u64(8, i as u64) } else { x };
        history = store.store(history, index, y);
    }
    let read = store.select(history, y);
    store.eval(read, &assignment);

    // Nested lets, each shared twice: exponential as a tree.
    let mut text = String::new();
    for i in 0..DEPTH / 10 {
        let previous = if i == 0 { "x".to_owned() } else { format!("z{}", i - 1) };
        let _ = write!(text, "(let ((z{i} (bvmul {previous} (bvlshr {previous} y)))) ");
    }
    let _ = write!(text, "z{}{}", DEPTH / 10 - 1, ")".repeat(DEPTH / 10));
    let term = parse_term(&mut store, &text, &mut symbols).unwrap();
    assert_eq!(store.size(term).tree, u64::MAX);
    let text = print_term(&store, term);
    assert_eq!(parse_term(&mut store, &text, &mut symbols), Ok(term));

    // Parentheses without end.
    const DEPTH_OF_TEXT: usize = DEPTH / 10;
    for text in
        ["(".repeat(DEPTH_OF_TEXT), ")".repeat(DEPTH_OF_TEXT), "(assert ".repeat(DEPTH_OF_TEXT)]
    {
        let error = read_script(&mut store, &text).unwrap_err();
        assert_eq!(error.kind, SmtErrorKind::Syntax);
    }
    let nested = format!("{}{}", "(assert (not ".repeat(DEPTH_OF_TEXT), "))".repeat(DEPTH_OF_TEXT));
    assert!(read_script(&mut store, &nested).is_err());
    let sort = format!(
        "(declare-const d {}Bool{})",
        "(Array Bool ".repeat(DEPTH_OF_TEXT),
        ")".repeat(DEPTH_OF_TEXT)
    );
    assert_eq!(read_script(&mut store, &sort).unwrap_err().kind, SmtErrorKind::Unsupported);
}

/// Cut and mutated scripts give errors or commands, never a panic.
#[test]
fn mutilated_scripts_do_not_panic() {
    let text = "(set-logic QF_ABVFP)(declare-const x (_ BitVec 8))(define-sort S (T) (Array T Bool))
        (declare-const a (S (_ BitVec 2)))(define-fun f ((p Bool) (q Float16)) Bool (and p (fp.isNaN q)))
        (assert (! (f (select a #b01) ((_ to_fp 5 11) RNE (/ 1 3.5))) :named n))
        (assert (let ((y (bvadd x #x01)) (z ((_ extract 3 0) x))) (= (concat z z) ((_ rotate_left 3) y))))
        (check-sat-assuming (n))(get-value (x (select a #b11)))(push 1)(pop 1)(get-interpolants n n)(exit)";
    let mut rng = vergo_testkit::Rng::new(7);
    let mut random = |n: usize| rng.below(n);
    let words = [
        "(", ")", "x", "let", "_", "!", ":named", "#b1", "0", "1.5", "-", "as", "const", "fp",
        "\"", "|", "é",
    ];
    for _ in 0..4000 {
        let mut bytes: Vec<String> =
            text.split_inclusive([' ', '(', ')']).map(str::to_owned).collect();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            match random(3) {
                0 => {
                    bytes.remove(at);
                }
                1 => bytes.insert(at, words[random(words.len())].to_owned()),
                _ => {
                    let other = random(bytes.len());
                    bytes.swap(at, other);
                }
            }
        }
        let mut store = TermStore::new();
        let text = bytes.concat();
        let mut reader = Reader::new(&text);
        while reader.next_command(&mut store).is_some() {}
    }
}

/// Every file of the collection parses; printed and read again, it asserts the same terms.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn shared_files_parse() {
    let Some(shared) = std::env::var_os("VERGO_SHARED") else {
        println!("skipped: VERGO_SHARED does not name the collection");
        return;
    };
    let mut n_files = 0;
    let folder = std::path::Path::new(&shared).join("smt2");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder exists").map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "smt2")) {
        let text = std::fs::read_to_string(path).expect("readable");
        for rewriting in [Rewriting::Off, Rewriting::On] {
            let mut store = TermStore::with_rewriting(rewriting);
            let script = read_script(&mut store, &text)
                .unwrap_or_else(|error| panic!("{}:{error}", path.display()));
            let printed: Vec<String> =
                script.iter().map(|located| print_command(&store, &located.command)).collect();
            // The reader's own variables cannot be read.
            let printed = printed.join("\n");
            if printed.contains("@fp.") {
                continue;
            }
            let again = read_script(&mut store, &printed)
                .unwrap_or_else(|error| panic!("{}: {error}\n{printed}", path.display()));
            assert_eq!(assertions(&script), assertions(&again), "{}", path.display());
        }
        n_files += 1;
    }
    assert!(n_files > 0, "no files");
}
