//! Every installed backend gives the same answers, and models that satisfy what was asserted.

mod generator;
use generator::{Generator, Profile};
use std::process::Command;
use std::time::Duration;
use vergo_smt::{Answer, BackendId, Budget, ScriptOptions, SolverOptions, run_script};
use vergo_term::smtlib::print_script;
use vergo_term::{TermId, TermStore, Value};
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::{Rng, process};

#[test]
fn backends_agree() {
    let others: Vec<BackendId> =
        BackendId::ALL.iter().copied().filter(|&b| b != BackendId::Native).collect();
    for backend in others {
        if !backend.is_available() {
            skip("backends_agree", &format!("{} is not installed", backend.name()));
            continue;
        }
        for profile in [Profile::Words, Profile::Arrays, Profile::Floats] {
            let n = if slow() { 200 } else { 8 };
            let answered = (0..n).filter(|&seed| agree(backend, profile, seed)).count() as u64;
            assert!(answered * 2 > n, "{} answers {answered} of {n}", backend.name());
        }
    }
}

/// Whole scripts of real widths: what is printed for another solver means the same to us.
#[test]
fn scripts_are_answered_as_by_z3() {
    let test = "scripts_are_answered_as_by_z3";
    if !BackendId::Z3.is_available() {
        return skip(test, "z3 is not installed");
    }
    let mut n_compared = 0;
    let n = if slow() { 100 } else { 4 };
    for (profile, logic) in [
        (Profile::RealWords, "QF_BV"),
        (Profile::RealArrays, "QF_ABV"),
        (Profile::RealFloats, "QF_BVFP"),
        (Profile::WideArrays, "QF_ABV"),
        (Profile::NestedArrays, "QF_ABV"),
    ] {
        for seed in 0..n {
            let mut rng = Rng::new(seed);
            let mut store = TermStore::new();
            let generator = Generator::new(&mut store, profile);
            let terms: Vec<TermId> =
                (0..3).map(|_| generator.formula(&mut store, &mut rng)).collect();
            let script = print_script(&mut store, logic, &terms);
            let options = ScriptOptions {
                timeout: Some(Duration::from_secs(10)),
                check_models: true,
                check_proofs: seed % 2 == 0,
                ..ScriptOptions::default()
            };
            let mut ours = Vec::new();
            let outcome = run_script(&script, &options, &mut |line| ours.push(line.to_owned()));
            assert_eq!(outcome.n_errors, 0, "{script}\n{ours:?}");
            let mut command = Command::new("z3");
            command.args(["-in", "-T:10"]);
            let Ok(theirs) = process::run(&mut command, script.as_bytes(), Duration::from_secs(20))
            else {
                return skip(test, "z3 does not start");
            };
            let theirs = theirs.stdout_text();
            let theirs = theirs.lines().next().unwrap_or_default();
            if matches!((ours[0].as_str(), theirs), ("sat" | "unsat", "sat" | "unsat")) {
                assert_eq!(ours[0], theirs, "{script}");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > n * 3, "only {n_compared} scripts were answered by both");
}

/// Returns whether the backend answers a random query; its answer must equal ours.
fn agree(backend: BackendId, profile: Profile, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut store = TermStore::new();
    let generator = Generator::new(&mut store, profile);
    let mut native = BackendId::Native.create(&SolverOptions::default());
    let mut other = backend.create(&SolverOptions::default());
    let mut terms = Vec::new();
    for _ in 0..3 {
        let term = generator.formula(&mut store, &mut rng);
        terms.push(term);
        native.assert(term);
        other.assert(term);
    }
    let assumption = generator.formula(&mut store, &mut rng);
    terms.push(assumption);
    let budget = Budget::within(Duration::from_secs(20));
    let answer = native.check(&mut store, &[assumption], &budget);
    let theirs = other.check(&mut store, &[assumption], &budget);
    if let Answer::Unknown(_) = theirs {
        return false;
    }
    assert_eq!(answer, theirs, "{} {profile:?} seed {seed}", backend.name());
    if answer == Answer::Sat {
        // Not every solver writes array values that can be read back.
        if let Ok(model) = other.model(&mut store) {
            for term in terms {
                assert_eq!(store.eval(term, &model), Value::Bool(true), "{profile:?} seed {seed}");
            }
        }
    }
    true
}
