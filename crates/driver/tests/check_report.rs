//! The report of a check, in every form: statuses of claims, JSON, SARIF, witnesses, proofs.

use serde_json::Value;
use vergo_driver::{
    Answer, Baseline, Certify, CheckReport, CheckRequest, ChosenPasses, ClaimStatus, EngineId,
    Input, Job, OnViolation, Slicing, Specification, check,
};
use vergo_evidence::witness::{self, Content};
use vergo_testkit::schema::conforms;

fn checked(text: &str, request: &CheckRequest) -> (Job, CheckReport) {
    let mut job = Job::default();
    let input = Input::Text { name: "a.c".to_owned(), text: text.as_bytes().to_vec() };
    let report = check(&mut job, &[input], request, &|_| {}).expect("the text is a program");
    (job, report)
}

/// A request for the engine whose reports are the same from run to run.
fn plain() -> CheckRequest {
    CheckRequest { engine: EngineId::BmcIncremental, ..CheckRequest::default() }
}

/// Each claim of a property as its line and its status.
fn statuses(job: &Job, report: &CheckReport, property: &str) -> Vec<(u32, &'static str)> {
    let claims = report.claims.iter().filter(|claim| claim.site.claim.property == property);
    let status = |claim: &vergo_driver::ClaimReport| {
        (job.map.presumed(claim.site.span.lo).line, claim.status.word())
    };
    claims.map(status).collect()
}

const SEVERAL: &str = "\
int nondet_int(void);
void __VERIFIER_assert(int);
int main(void)
{
    int x = nondet_int();
    __VERIFIER_assert(x != 3);
    __VERIFIER_assert(x < 1000 || x > 2000);
    __VERIFIER_assert(x != 3);
    if (x == 7) {
        __VERIFIER_assert(x == 7);
        __VERIFIER_assert(x != 7);
    }
    if (x == 3)
        __VERIFIER_assert(x == 4);
    return 0;
}
";

/// However a library writes `assert`, one whose condition is constant is a claim.
#[test]
fn assertions_of_constants_are_claims() {
    let text = "\
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void)
{
    ({ if (sizeof(int) == 4) ; else __assert_fail(\"four\", \"a.c\", 4, \"main\"); });
    (sizeof(int) < 5) ? (void)0 : __assert_fail(\"less\", \"a.c\", 5, \"main\");
    if (sizeof(int) == 4) ; else { int x = 1 / 0; __assert_fail(\"no\", \"a.c\", 6, \"main\"); }
    ({ if (sizeof(int) == 3) ; else __assert_fail(\"three\", \"a.c\", 7, \"main\"); });
    return 0;
}
";
    let (job, report) = checked(text, &plain());
    let expected = [(4, "holds"), (5, "holds"), (7, "violated")];
    assert_eq!(statuses(&job, &report, "user.assert"), expected);
}

#[test]
fn every_claim_has_its_own_verdict() {
    for jobs in [1, 3] {
        let request = CheckRequest { jobs, ..plain() };
        let (job, report) = checked(SEVERAL, &request);
        let expected = [
            (6, "violated"),
            (7, "violated"),
            // What line 6 stops does not come here.
            (8, "holds"),
            (10, "holds"),
            (11, "violated"),
            (14, "holds"),
        ];
        assert_eq!(statuses(&job, &report, "user.assert"), expected, "{jobs} jobs");
        assert_eq!(report.answer, Answer::False("user.assert".to_owned()));
        for claim in &report.claims {
            if let ClaimStatus::Violated(violation) = &claim.status {
                assert_eq!(violation.counterexample.position().span, claim.site.span);
            }
        }
    }
}

#[test]
fn the_first_violation_can_be_the_answer() {
    let request = CheckRequest { on_violation: OnViolation::Stop, ..plain() };
    let (_, report) = checked(SEVERAL, &request);
    assert_eq!(report.violations().count(), 1);
    assert!(report.claims.iter().any(|claim| matches!(claim.status, ClaimStatus::NotChecked)));
}

#[test]
fn claims_behind_a_cut_loop_are_unknown() {
    let text = "int nondet_int(void); void __VERIFIER_assert(int);
        int main(void) { unsigned n = 0; __VERIFIER_assert(nondet_int() != 1);
        while (nondet_int()) n++; __VERIFIER_assert(n < 100); return 0; }";
    let request = CheckRequest { unwind: Some(3), engine: EngineId::Bmc, ..plain() };
    let (_, report) = checked(text, &request);
    let words: Vec<&str> = report
        .claims
        .iter()
        .filter(|claim| claim.site.claim.property == "user.assert")
        .map(|claim| claim.status.word())
        .collect();
    assert_eq!(words, ["violated", "unknown"]);
}

const ONE_HARD: &str = "\
int nondet_int(void);
void __VERIFIER_assert(int);
int table[10];
int endless(unsigned n)
{
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    __VERIFIER_assert(steps != 77777);
    return steps;
}
int simple(int i)
{
    if (i < 0 || i > 9)
        return 0;
    return table[i] / (i + 1);
}
int main(void)
{
    int i = nondet_int(), k;
    endless(i);
    k = simple(i);
    __VERIFIER_assert(i != 12 || k == 0);
    __VERIFIER_assert(i != 8);
    return k;
}
";

/// A loop without a bound is in the way of one claim only; the others are asked about in groups, from slices without it.
#[test]
fn one_hard_claim_does_not_hide_the_others() {
    for jobs in [1, 2] {
        let plain = CheckRequest { engine: EngineId::Bmc, unwind: Some(3), jobs, ..plain() };
        let (job, report) = checked(ONE_HARD, &plain);
        let open = |property| {
            let all = statuses(&job, &report, property);
            all.into_iter().filter(|(_, status)| *status != "holds").collect::<Vec<_>>()
        };
        assert_eq!(open("memory.bounds"), []);
        assert_eq!(open("arith.division-by-zero"), []);
        assert_eq!(open("user.assert"), [(11, "unknown"), (26, "violated")]);
        assert!(report.by_groups.len() > 1, "{:?}", report.by_groups);
        assert!(matches!(report.answer, Answer::False(_)), "{:?}", report.answer);
    }
    // Without the hard claim and the wrong one, everything but leaks is proved, group by group.
    let easy = ONE_HARD.replace("steps != 77777", "1").replace("i != 8", "k < 10 || i");
    let names = "memory.bounds,arith.division-by-zero,user.assert";
    let specification = Specification::from_name(names).expect("there are such properties");
    let engine = EngineId::Bmc;
    let slicing = Slicing::Never;
    let request = CheckRequest { engine, unwind: Some(3), specification, slicing, ..plain() };
    let (_, report) = checked(&easy, &request);
    assert_eq!(report.answer, Answer::True);
    assert!(report.proof().is_some_and(|proof| proof.contains("groups of claims")));
}

/// What an analysis says is proved with the claims that rely on it, and is none of them.
#[test]
fn facts_are_proved_and_not_counted() {
    let text = "int nondet_int(void); void __VERIFIER_assert(int);
        int main(void) { int n = nondet_int(), x = 0;
        if (n < 3 || n > 9) return 0;
        for (int i = 0; i < n; i++) x = i;
        __VERIFIER_assert(x < 9); return 0; }";
    let found = |names: &[&str]| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let passes = ChosenPasses { names, ..ChosenPasses::default() };
        let (_, report) = checked(text, &CheckRequest { passes, ..plain() });
        assert_eq!(report.answer, Answer::True);
        (report.claims.len(), report.statistics.effort.obligations)
    };
    let (n_claims, n_obligations) = found(&[]);
    let (n_claims_then, n_obligations_then) = found(&["interval_facts"]);
    assert_eq!(n_claims_then, n_claims);
    assert!(n_obligations_then > n_obligations, "{n_obligations_then} {n_obligations}");
}

/// A list that no claim asks about is in nobody's way, by default and by request; what is proved of the slice says so.
#[test]
fn small_slices_are_used() {
    let text = "int nondet_int(void); void *malloc(unsigned long); void __VERIFIER_assert(int);
        struct node { struct node *next; int value; };
        int main(void) { unsigned x = nondet_int() & 1; struct node *list = 0;
        while (nondet_int()) { struct node *n = malloc(sizeof *n); n->next = list; n->value = nondet_int(); list = n; }
        for (struct node *n = list; n; n = n->next) n->value = n->value / 2 + 1;
        while (nondet_int()) x ^= CHANGE;
        __VERIFIER_assert(x < 2); return 0; }";
    let asked = |change: &str, slicing| {
        let specification = Specification::from_name("user.assert").expect("it is a property");
        let request = CheckRequest { engine: EngineId::Kind, slicing, specification, ..plain() };
        checked(&text.replace("CHANGE", change), &request).1
    };
    for slicing in [Slicing::WhereSmall, Slicing::Always] {
        let report = asked("1", slicing);
        assert_eq!(report.answer, Answer::True);
        assert!(report.of_slice && report.invariant().is_none());
        assert!(report.proof().is_some_and(|proof| proof.contains("instructions")));
    }
    let wrong = asked("2", Slicing::WhereSmall);
    assert!(matches!(wrong.answer, Answer::False(_)), "{:?}", wrong.answer);
    let whole = asked("1", Slicing::Never);
    assert!(!whole.of_slice && matches!(whole.answer, Answer::Unknown(_)), "{:?}", whole.answer);
}

#[test]
fn a_program_without_claims_is_true() {
    let request = CheckRequest {
        specification: Specification::from_name("unreach-call").unwrap(),
        ..plain()
    };
    let text = "int nondet_int(void); int main(void) { while (nondet_int()); return 0; }";
    let (_, report) = checked(text, &request);
    assert_eq!(report.answer, Answer::True);
    assert_eq!(report.certificate.unwrap().kind(), "no-claims");
}

#[test]
fn claims_that_hold_cost_no_questions_of_their_own() {
    let text = "unsigned nondet_uint(void); void __VERIFIER_assert(int);
        int main(void) { unsigned x = nondet_uint(), y = nondet_uint(), z = nondet_uint();
        if (x < y && y < z) { __VERIFIER_assert(x < z); __VERIFIER_assert(x != z); __VERIFIER_assert(z > 1); }
        return 0; }";
    let questions = |on_violation| {
        let (_, report) = checked(text, &CheckRequest { on_violation, ..plain() });
        assert_eq!(report.answer, Answer::True);
        report.statistics.effort.solver.checks
    };
    assert_eq!(questions(OnViolation::GoOn), questions(OnViolation::Stop));
}

const HEAP: &str = "\
void *malloc(unsigned long); void free(void *); int nondet_int(void);
int main(void)
{
    int *p = malloc(4 * sizeof(int));
    int i = nondet_int();
    if (i < 0 || i > 4) i = 0;

    p[i] = 1;
    free(p);
    for (unsigned n = 0; n < 3; n++)
        if (nondet_int() == 5)
            return p[0];
    return 0;
}
";

#[test]
fn json_conforms_to_its_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let unwound = CheckRequest { unwind: Some(1), ..plain() };
    for (text, request) in [
        (SEVERAL, plain()),
        (HEAP, plain()),
        (HEAP, unwound),
        ("int main(void) { return 0; }", plain()),
    ] {
        let (job, report) = checked(text, &request);
        for statistics in [false, true] {
            let value: Value = serde_json::from_str(&report.json(&job.map, statistics)).unwrap();
            conforms(&schema, &value).unwrap();
            assert_eq!(value.get("statistics").is_some(), statistics);
        }
        let (other_job, again) = checked(text, &request);
        assert_eq!(report.json(&job.map, false), again.json(&other_job.map, false));
    }
    // A test that cannot fail would show nothing.
    let mut wrong: Value = serde_json::from_str(&{
        let (job, report) = checked(SEVERAL, &plain());
        report.json(&job.map, false)
    })
    .unwrap();
    wrong["claims"][0]["status"] = "fine".into();
    assert!(conforms(&schema, &wrong).is_err());
}

/// The schema of SARIF 2.1.0, which is not ours to ship: whoever has it names it, as `.ci/run` does.
#[test]
fn sarif_conforms_to_its_schema() {
    let Some(path) = std::env::var_os("VERGO_SARIF_SCHEMA") else {
        let why = "VERGO_SARIF_SCHEMA names no file";
        return vergo_testkit::environment::skip("sarif_conforms_to_its_schema", why);
    };
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let unwound = CheckRequest { unwind: Some(1), ..plain() };
    for (text, request) in [
        (SEVERAL, plain()),
        (HEAP, plain()),
        (HEAP, unwound),
        ("int main(void) { return 0; }", plain()),
    ] {
        let (job, report) = checked(text, &request);
        let baseline = Baseline::read(&report.baseline(&job.map)).unwrap();
        for baseline in [None, Some(&baseline)] {
            let log = serde_json::from_str(&report.sarif(&job.map, baseline)).unwrap();
            conforms(&schema, &log).unwrap();
            // A test that cannot fail would show nothing.
            let mut wrong: Value = log;
            wrong["runs"][0]["tool"]["driver"]["name"] = 1.into();
            assert!(conforms(&schema, &wrong).is_err());
        }
    }
}

#[test]
fn sarif_has_rules_results_and_weaknesses() {
    let (job, report) = checked(HEAP, &plain());
    let log: Value = serde_json::from_str(&report.sarif(&job.map, None)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 2, "{results:#?}");
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(result["kind"], "fail");
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].is_u64());
        let taxon = &rule["relationships"][0]["target"];
        let taxa = &run["taxonomies"][0]["taxa"];
        assert_eq!(taxa[taxon["index"].as_u64().unwrap() as usize]["id"], taxon["id"]);
    }
    let bounds = results.iter().find(|result| result["ruleId"] == "memory.bounds").unwrap();
    let steps = bounds["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert!(steps.len() > 2, "{steps:#?}");
}

#[test]
fn witnesses_have_the_form_that_the_format_demands() {
    let svcomp = |name: &str| CheckRequest {
        specification: Specification::from_name(name).unwrap(),
        on_violation: OnViolation::Stop,
        ..plain()
    };
    let program = HEAP.replace("== 5", "== 5 && 0");
    let (job, report) = checked(&program, &svcomp("valid-memsafety"));
    let text = report.witness(&job, 0).unwrap();
    let Content::Violation(segments) = witness::read(&text).unwrap().content else {
        panic!("{text}")
    };
    let way: Vec<_> = segments.iter().flatten().map(|at| (at.kind.word(), &at.place)).collect();
    let words: Vec<(&str, u32)> = way.iter().map(|(word, place)| (*word, place.line)).collect();
    assert_eq!(words, [("function_return", 5), ("target", 8)], "{text}");
    // The closing parenthesis of the call.
    assert_eq!(way[0].1.column, 24);
    let (job, report) = checked(HEAP, &svcomp("no-overflow"));
    assert_eq!(report.answer, Answer::True);
    let text = report.witness(&job, 0).unwrap();
    let Content::Correctness(invariants) = witness::read(&text).unwrap().content else {
        panic!("{text}")
    };
    let values: Vec<&str> = invariants.iter().map(|invariant| invariant.value.as_str()).collect();
    assert_eq!(values, ["n <= 3U"]);
}

#[test]
fn proofs_are_written_and_wrong_ones_rejected() {
    let text = "unsigned nondet_uint(void); void __VERIFIER_assert(int);
        int main(void) { unsigned x = nondet_uint(), y = nondet_uint(), z = nondet_uint();
        if (x < y && y < z) __VERIFIER_assert(x < z); return 0; }";
    let request = CheckRequest { certify: Certify::Clauses, ..plain() };
    let (_, report) = checked(text, &request);
    assert_eq!(report.answer, Answer::True);
    let certificate = report.certificate.unwrap();
    let proof = certificate.clause_proof().unwrap();
    assert_eq!(proof.check(), Ok(()));
    assert!(proof.formula().lines().count() > 3);
    // Without its last clause the formula is no contradiction, or the proof does not show it.
    let n_lines = proof.formula().lines().count();
    let weaker: String =
        proof.formula().lines().take(n_lines - 1).map(|line| format!("{line}\n")).collect();
    let wrong = vergo_driver::ClauseProof::from_texts(weaker, proof.proof().to_owned());
    assert!(wrong.check().is_err());
}

#[test]
fn what_was_assumed_is_said() {
    let ids = |request: &CheckRequest| {
        let (_, report) = checked(HEAP, request);
        report.assumptions.iter().map(|assumption| assumption.id).collect::<Vec<_>>()
    };
    assert!(ids(&plain()).contains(&"malloc-succeeds"));
    let may_fail = CheckRequest { malloc_may_fail: true, ..plain() };
    assert!(!ids(&may_fail).contains(&"malloc-succeeds"));
    for (function, is_assumed) in [("cbrt", true), ("sqrt", false)] {
        let text = format!(
            "double {function}(double); int main(void) {{ return {function}(2.0) < 1.0; }}"
        );
        let (_, report) = checked(&text, &plain());
        assert_eq!(report.assumptions.iter().any(|a| a.id == "correct-rounding"), is_assumed);
    }
    let text = "void *malloc(unsigned long); void free(void *);
        int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }";
    assert_eq!(checked(text, &plain()).1.answer, Answer::True);
    assert!(matches!(checked(text, &may_fail).1.answer, Answer::False(_)));
}
