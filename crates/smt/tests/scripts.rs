//! The output of SMT-LIB scripts.

use expect_test::{Expect, expect};
use std::time::Duration;
use vergo_smt::{Answer, Reason, ScriptOptions, StopReason, run_script};

fn check(script: &str, expected: Expect) {
    let options = ScriptOptions {
        check_models: true,
        check_proofs: true,
        timeout: Some(Duration::from_secs(30)),
        ..ScriptOptions::default()
    };
    let mut output = String::new();
    run_script(script, &options, &mut |line| {
        output.push_str(line);
        output.push('\n');
    });
    expected.assert_eq(&output);
}

#[test]
fn answers_models_and_values() {
    check(
        "(set-option :print-success true)
         (set-logic QF_ABV)
         (declare-const x (_ BitVec 8))
         (declare-fun |a b| () (Array (_ BitVec 8) (_ BitVec 4)))
         (assert (= (bvadd x #x01) #x10))
         (assert (= (select |a b| x) #b1010))
         (check-sat)
         (get-model)
         (get-value (x (bvnot x) (select |a b| #x0f) (= x #x00)))",
        expect![[r#"
            success
            success
            success
            success
            success
            success
            sat
            (
              (define-fun x () (_ BitVec 8) #x0f)
              (define-fun |a b| () (Array (_ BitVec 8) (_ BitVec 4)) (store ((as const (Array (_ BitVec 8) (_ BitVec 4))) #x0) #x0f #xa))
            )
            ((x #x0f)
             ((bvnot x) #xf0)
             ((select |a b| #x0f) #xa)
             ((= x #x00) false))
        "#]],
    );
}

#[test]
fn scopes_and_assumptions() {
    check(
        "(set-logic QF_BV)
         (declare-const p Bool)
         (declare-const q Bool)
         (assert (or p q))
         (push 1)
         (assert (not p))
         (declare-const r Bool)
         (check-sat)
         (check-sat-assuming ((not q) r))
         (get-unsat-assumptions)
         (pop 1)
         (check-sat-assuming ((not q)))
         (get-value (p q))
         (get-info :assertion-stack-levels)
         (get-value (r))
         (pop 1)",
        expect![[r#"
            sat
            unsat
            ((not q))
            sat
            ((p true)
             (q false))
            (:assertion-stack-levels 0)
            (error "15:22: unknown symbol `r`")
            (error "16:10: there is no level to pop")
        "#]],
    );
}

#[test]
fn cores() {
    check(
        "(set-option :produce-unsat-cores true)
         (set-logic QF_BV)
         (declare-const x (_ BitVec 4))
         (assert (! (bvult x #x5) :named small))
         (assert (! (= ((_ extract 0 0) x) #b1) :named odd))
         (assert (! (bvult #xa x) :named large))
         (check-sat)
         (get-unsat-core)",
        expect![[r#"
            unsat
            (small large)
        "#]],
    );
}

#[test]
fn interpolants() {
    check(
        "(set-logic QF_BV)
         (declare-const x (_ BitVec 4))
         (declare-const y (_ BitVec 4))
         (declare-const z (_ BitVec 4))
         (assert (! (= x #x3) :named a))
         (assert (! (= y x) :named b))
         (assert (! (= z y) :named c))
         (assert (! (= z #x4) :named d))
         (check-sat)
         (get-interpolants a b c d)
         (get-interpolants (a b) (c d))
         (get-interpolant I (not (= y #x5)))
         (get-interpolants e a)",
        expect![[r#"
            unsat
            ((= ((_ extract 0 0) x) #b1)
             (= ((_ extract 0 0) y) #b1)
             (= ((_ extract 0 0) z) #b1))
            ((= ((_ extract 0 0) y) #b1))
            (define-fun I () Bool false)
            (error "13:10: `e` is not the name of an assertion")
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "(set-logic QF_UFBV)
         (declare-fun f ((_ BitVec 8)) (_ BitVec 8))
         (declare-fun g (Bool (_ BitVec 8) RoundingMode) Bool)
         (declare-const x (_ BitVec 8))
         (declare-const y (_ BitVec 8))
         (declare-const m RoundingMode)
         (assert (! (= x y) :named same))
         (push 1)
         (assert (distinct (f x) (f y)))
         (check-sat)
         (pop 1)
         (assert (= (f (f x)) #x03))
         (assert (= x #x01))
         (assert (g true (f x) m))
         (assert (not (g true #x02 RTZ)))
         (assert (= m RTZ))
         (assert (= (f #x01) #x07))
         (check-sat)
         (get-value ((f x) (f #x07) (g true #x07 RTZ) (g true #x02 m)))
         (get-model)
         (assert (! (g false (bvadd x y) m) :named applied))
         (get-assertions)
         (assert (f x))
         (assert (= (f x y) x))
         (assert (= f x))
         (declare-fun k ((Array Bool Bool)) Bool)
         (get-interpolant I (= (f y) #x07))",
        expect![[r#"
            unsat
            sat
            (((f x) #x07)
             ((f #x07) #x03)
             ((g true #x07 RTZ) true)
             ((g true #x02 m) false))
            (
              (define-fun f ((x!0 (_ BitVec 8))) (_ BitVec 8) (ite (= x!0 #x01) #x07 (ite (= x!0 #x07) #x03 #x00)))
              (define-fun g ((x!0 Bool) (x!1 (_ BitVec 8)) (x!2 RoundingMode)) Bool (ite (and (= x!0 true) (= x!1 #x07) (= x!2 RTZ)) true false))
              (define-fun x () (_ BitVec 8) #x01)
              (define-fun y () (_ BitVec 8) #x01)
              (define-fun m () RoundingMode RTZ)
            )
            (
            (! (= x y) :named same)
            (= (f (f x)) #x03)
            (= x #x01)
            (let ((?0 (concat (concat #b1 (f x)) (ite (= m RTZ) #b100 (ite (= m RTN) #b011 (ite (= m RTP) #b010 (ite (= m RNA) #b001 #b000))))))) (g (= ((_ extract 11 11) ?0) #b1) ((_ extract 10 3) ?0) (ite (= ((_ extract 2 0) ?0) #b000) RNE (ite (= ((_ extract 2 0) ?0) #b001) RNA (ite (= ((_ extract 2 0) ?0) #b010) RTP (ite (= ((_ extract 2 0) ?0) #b011) RTN RTZ))))))
            (not (g (= ((_ extract 11 11) #x814) #b1) ((_ extract 10 3) #x814) (ite (= ((_ extract 2 0) #x814) #b000) RNE (ite (= ((_ extract 2 0) #x814) #b001) RNA (ite (= ((_ extract 2 0) #x814) #b010) RTP (ite (= ((_ extract 2 0) #x814) #b011) RTN RTZ))))))
            (= m RTZ)
            (= (f #x01) #x07)
            (! (let ((?0 (concat ((_ zero_extend 1) (bvadd x y)) (ite (= m RTZ) #b100 (ite (= m RTN) #b011 (ite (= m RTP) #b010 (ite (= m RNA) #b001 #b000))))))) (g (= ((_ extract 11 11) ?0) #b1) ((_ extract 10 3) ?0) (ite (= ((_ extract 2 0) ?0) #b000) RNE (ite (= ((_ extract 2 0) ?0) #b001) RNA (ite (= ((_ extract 2 0) ?0) #b010) RTP (ite (= ((_ extract 2 0) ?0) #b011) RTN RTZ)))))) :named applied)
            )
            (error "23:18: expected a truth value")
            (error "24:21: `f` takes 1 arguments")
            (error "25:21: function `f` needs arguments")
            (error "26:26: functions of arrays are not supported")
            (define-fun I () Bool (let ((?0 (f #x01))) (and (= y #x01) (and (and (and (= ((_ extract 0 0) ?0) #b1) (= ((_ extract 1 1) ?0) #b1)) (and (= ((_ extract 2 2) ?0) #b1) (not (= ((_ extract 3 3) ?0) #b1)))) (and (and (not (= ((_ extract 4 4) ?0) #b1)) (not (= ((_ extract 5 5) ?0) #b1))) (and (not (= ((_ extract 7 7) ?0) #b1)) (not (= ((_ extract 6 6) ?0) #b1))))))))
        "#]],
    );
}

#[test]
fn arrays_of_large_arrays() {
    check(
        "(set-logic QF_ABV)
         (define-sort Memory () (Array (_ BitVec 32) (_ BitVec 8)))
         (declare-const m (Array (_ BitVec 32) Memory))
         (declare-const p Memory)
         (declare-const i (_ BitVec 32))
         (declare-const j (_ BitVec 32))
         (assert (= (select (select m i) j) #x05))
         (push 1)
         (assert (= p (store (select m j) i #x06)))
         (assert (= i j))
         (assert (= m (store m i p)))
         (check-sat)
         (pop 1)
         (assert (= (select (store m i (store p j #x07)) j) p))
         (assert (distinct i j))
         (assert (= (select p j) #x01))
         (check-sat)
         (get-value ((select (select m i) j) (select (select m j) j)))
         (assert (= ((as const (Array (_ BitVec 32) Memory)) p) m))
         (check-sat)
         (declare-const n (Array Memory Bool))
         (assert (select n p))
         (check-sat)
         (get-info :reason-unknown)
         (declare-const small (Array (_ BitVec 32) (Array (_ BitVec 3) (_ BitVec 64))))
         (assert (= (select (select small i) #b001) (_ bv1 64)))",
        expect![[r#"
            unsat
            sat
            (((select (select m i) j) #x05)
             ((select (select m j) j) #x01))
            unsat
            (error "21:27: arrays indexed by arrays are not supported")
            (error "22:26: unknown symbol `n`")
            unsat
            (:reason-unknown incomplete)
        "#]],
    );
}

#[test]
fn floats() {
    check(
        "(set-logic QF_FP)
         (declare-const f Float16)
         (declare-const m RoundingMode)
         (assert (fp.isInfinite (fp.add m f f)))
         (assert (not (fp.isInfinite f)))
         (assert (fp.isNegative f))
         (check-sat)
         (assert (= (fp.roundToIntegral m f) (fp.neg f)))
         (check-sat)",
        expect![[r#"
            sat
            unsat
        "#]],
    );
}

#[test]
fn what_is_not_supported_leaves_no_model() {
    check(
        "(declare-const b Bool)
(push 1)
(declare-const x Int)
(assert (> x 3))
(check-sat)
(get-info :reason-unknown)
(get-model)
(assert (and b (not b)))
(check-sat)
(pop 1)
(check-sat)
(declare-const f (_ FloatingPoint 5 11))
(assert (= (fp.to_real f) 1.0))
(check-sat)
(reset)
(check-sat)
(assert (forall ((y (_ BitVec 8))) (= y #x00)))
(check-sat)",
        expect![[r#"
            (error "3:18: sort `Int` is not supported")
            (error "4:12: unknown symbol `x`")
            unknown
            (:reason-unknown "a command before this one is not supported")
            (error "7:1: the last check did not find a model")
            unsat
            sat
            (error "13:12: `fp.to_real` is not supported")
            unknown
            sat
            (error "17:9: `forall` is not supported")
            unknown
        "#]],
    );
}

#[test]
fn errors_have_positions_and_execution_goes_on() {
    check(
        "(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(assert (bvult x #x5)
)
(assert (bvult x y))
(assert (bvult x #b1))
(frobnicate)
(get-model)
(get-unsat-core)
(check-sat)
(get-unsat-core)
(set-option :frobnicate 1)
(set-option :produce-unsat-cores maybe)
(get-option :produce-models)
(get-info :name)
(get-info :error-behavior)
(echo \"say \"\"hello\"\"\")
(get-proof)
(declare-fun f ((_ BitVec 4)) Bool)
(reset)
(assert (bvult x #x5))
(check-sat)
(assert",
        expect![[r#"
            (error "5:18: unknown symbol `y`")
            (error "6:9: operands of `bvult` have the wrong number or sorts")
            (error "7:2: unknown command `frobnicate`")
            (error "8:1: the last check did not find a model")
            (error "9:1: option :produce-unsat-cores is not set")
            sat
            (error "11:1: option :produce-unsat-cores is not set")
            unsupported
            (error "13:1: `maybe` is not a value of option :produce-unsat-cores")
            true
            (:name "Vergo")
            (:error-behavior continued-execution)
            "say ""hello"""
            unsupported
            (error "21:16: unknown symbol `x`")
            sat
            (error "23:1: this parenthesis is never closed")
        "#]],
    );
}

#[test]
fn statistics_name_every_layer() {
    let script = "(declare-const x (_ BitVec 16))(assert (= (bvmul x x x) #x0007))
        (check-sat)(get-info :all-statistics)";
    let mut output = String::new();
    run_script(script, &ScriptOptions::default(), &mut |line| output.push_str(line));
    for name in [
        "terms",
        "gates",
        "gate-bytes",
        "bytes-per-gate",
        "clauses",
        "conflicts",
        "lemmas",
        "read-time",
        "blast-time",
        "sat-time",
        "array-time",
        "interpolation-time",
    ] {
        assert!(output.contains(&format!(":{name} ")), "{name}: {output}");
    }
}

/// The shortest of a few runs, for other programs may be busy too.
fn best_time(run: impl Fn()) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..4 {
        let start = std::time::Instant::now();
        run();
        best = best.min(start.elapsed());
        if best < Duration::from_secs(1) {
            break;
        }
    }
    best
}

#[test]
fn a_time_limit_ends_in_unknown() {
    // A product of two large primes is hard to factor.
    let script = "(set-logic QF_BV)
        (declare-const x (_ BitVec 128))
        (declare-const y (_ BitVec 128))
        (assert (= ((_ extract 127 64) x) #x0000000000000000))
        (assert (= ((_ extract 127 64) y) #x0000000000000000))
        (assert (bvult (_ bv1 128) x))
        (assert (bvult (_ bv1 128) y))
        (assert (= (bvmul x y) (_ bv85070591730234615865843651857942052871 128)))
        (check-sat)
        (get-info :reason-unknown)";
    let options =
        ScriptOptions { timeout: Some(Duration::from_millis(300)), ..ScriptOptions::default() };
    let time = best_time(|| {
        let mut lines = Vec::new();
        let outcome = run_script(script, &options, &mut |line| lines.push(line.to_owned()));
        assert_eq!(outcome.answers, vec![Answer::Unknown(Reason::Stopped(StopReason::Deadline))]);
        assert_eq!(lines, ["unknown", "(:reason-unknown \"timeout\")"]);
    });
    assert!(time < Duration::from_millis(1300), "{time:?}");
    let options = ScriptOptions { memory: Some(1), ..ScriptOptions::default() };
    let outcome = run_script(script, &options, &mut |_| ());
    assert_eq!(outcome.answers, vec![Answer::Unknown(Reason::Stopped(StopReason::Memory))]);
}

/// A limit that ends while one huge operator is blasted, or while values are guessed.
#[test]
fn limits_end_before_the_search_too() {
    for operator in ["bvmul", "bvudiv", "bvurem"] {
        let script = format!(
            "(declare-const x (_ BitVec 5000))(declare-const y (_ BitVec 5000))
             (assert (= ({operator} x y) (bvadd (bvmul x x) (_ bv3 5000))))
             (assert (= (bvmul x y y) (_ bv2 5000)))(check-sat)"
        );
        let options =
            ScriptOptions { timeout: Some(Duration::from_millis(200)), ..ScriptOptions::default() };
        let time = best_time(|| {
            let outcome = run_script(&script, &options, &mut |_| ());
            let stopped = Answer::Unknown(Reason::Stopped(StopReason::Deadline));
            assert_eq!(outcome.answers, vec![stopped]);
        });
        assert!(time < Duration::from_millis(1200), "{operator} {time:?}");
        let now = vergo_sat::budget::resident_bytes().unwrap_or(0);
        let options = ScriptOptions { memory: Some(now + (8 << 20)), ..ScriptOptions::default() };
        let outcome = run_script(&script, &options, &mut |_| ());
        assert_eq!(outcome.answers, vec![Answer::Unknown(Reason::Stopped(StopReason::Memory))]);
    }
}

#[test]
fn contradictions_of_the_stated_status_are_counted() {
    let script = "(set-info :status unsat)(declare-const p Bool)(assert p)(check-sat)(check-sat)";
    let outcome = run_script(script, &ScriptOptions::default(), &mut |_| ());
    assert_eq!(outcome.n_contradictions, 1);
    assert_eq!(outcome.answers, vec![Answer::Sat, Answer::Sat]);
}
