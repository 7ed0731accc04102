//! What executing SMT-LIB scripts prints.

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
            (error "19:16: uninterpreted functions with arguments are not supported")
            (error "21:16: unknown symbol `x`")
            sat
            (error "23:1: this parenthesis is never closed")
        "#]],
    );
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
    let start = std::time::Instant::now();
    let mut lines = Vec::new();
    let outcome = run_script(script, &options, &mut |line| lines.push(line.to_owned()));
    assert_eq!(outcome.answers, vec![Answer::Unknown(Reason::Stopped(StopReason::Deadline))]);
    assert_eq!(lines, ["unknown", "(:reason-unknown \"timeout\")"]);
    assert!(start.elapsed() < Duration::from_secs(5));
    let options = ScriptOptions { memory: Some(1), ..ScriptOptions::default() };
    let outcome = run_script(script, &options, &mut |_| ());
    assert_eq!(outcome.answers, vec![Answer::Unknown(Reason::Stopped(StopReason::Memory))]);
}

#[test]
fn contradictions_of_the_stated_status_are_counted() {
    let script = "(set-info :status unsat)(declare-const p Bool)(assert p)(check-sat)(check-sat)";
    let outcome = run_script(script, &ScriptOptions::default(), &mut |_| ());
    assert_eq!(outcome.n_contradictions, 1);
    assert_eq!(outcome.answers, vec![Answer::Sat, Answer::Sat]);
}
