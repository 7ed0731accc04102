//! Every installed backend gives the same answers, and models that satisfy what was asserted.

mod generator;
use generator::{Generator, Profile};
use std::time::Duration;
use vergo_smt::{Answer, BackendId, Budget, SolverOptions};
use vergo_term::{TermStore, Value};
use vergo_testkit::Rng;
use vergo_testkit::environment::{skip, slow};

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

/// Whether the backend answers a random query; its answer must be ours.
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
