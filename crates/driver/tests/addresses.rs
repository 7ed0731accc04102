//! Symbolic execution and the interpreter agree about addresses: on random programs that compare pointers, convert them,
//! take them apart and let objects come and go, with objects at random addresses, an execution violates a claim exactly
//! if the formula says so.

use std::fmt::Write as _;
use std::time::Duration;
use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job, Specification};
use vergo_evidence::{Choices, Counterexample};
use vergo_goto::program::Program;
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_smt::Budget;
use vergo_symex::{ObligationKind, Options, StepKind, execute};
use vergo_term::{Assignment, Evaluator, TermId, TermStore};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;

struct Random(Rng);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// One of a few addresses, so that they coincide, or a neighbour.
    fn address(&mut self) -> u64 {
        0x1_0000 + 16 * self.below(6) + [0, 0, 0, 4, 8][self.below(5) as usize]
    }
}

const BEFORE: &str = "
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
int g, h, a[2];
void f(void) { g = 1; }
void k(void) { g = 2; }
unsigned long frame(void) { int x; return (unsigned long)&x; }
unsigned long other(void) { char y[8]; return (unsigned long)(y + 4); }
int main(void)
{
    int x = 0, y = 0;
    int *p = &x, *q = &g, *r = 0, *new = malloc(8), *old = malloc(4);
    const char *s = \"abc\", *t = \"bc\";
    unsigned long m = 0, n = 1;
    void (*call)(void) = f;
    union { int *p; unsigned long n; unsigned char b[8]; } u;
    u.n = 0;
";

const STEPS: &[&str] = &[
    "p = &x;",
    "q = &y;",
    "r = &h;",
    "p = a + 1;",
    "q = a + 2;",
    "r = a - 1;",
    "r = p;",
    "p = q;",
    "p = new;",
    "q = new + 2;",
    "m = (unsigned long)p;",
    "n = (unsigned long)q;",
    "n = (unsigned long)new;",
    "p = (int *)m;",
    "q = (int *)n;",
    "m = m + 4;",
    "u.p = p;",
    "n = u.n;",
    "u.n = m;",
    "q = u.p;",
    "u.b[0] ^= 16;",
    "m = frame();",
    "n = other();",
    "p = (int *)__VERIFIER_nondet_ulong();",
    "m = __VERIFIER_nondet_ulong();",
    "call = k;",
    "call = (void (*)(void))m;",
    "memcpy(&q, &p, sizeof q);",
    "for (unsigned i = 0; i < sizeof r; i++) ((char *)&r)[i] = ((char *)&p)[i];",
    "free(new); new = malloc(8);",
    "free(old); old = malloc(12);",
    "{ int z = 0; r = &z; m = (unsigned long)r; }",
    "{ int w = 0; n = (unsigned long)&w; if (&w == r) reach_error(); }",
    "if (p == q) r = p;",
    "if (p == &g) { *p = 7; if (g != 7) reach_error(); }",
    "if (q == new) { *q = 7; if (*new == 7 && p == r) reach_error(); }",
    "if (call == k) { call(); if (g != 2) reach_error(); }",
];

const CONDITIONS: &[&str] = &[
    "p == q",
    "p != r",
    "p < q",
    "p <= r",
    "q - p == 1",
    "m == n",
    "(unsigned long)p == n",
    "p == &g",
    "q == a + 2",
    "r == &y",
    "call == f",
    "(m & 3) == 0",
    "new == p",
    "new == old",
    "(unsigned long)old == m",
    "r == old",
    "a + 2 == &g",
    "&g + 1 == &h",
    "s + 1 == t",
    "p == 0",
    "u.p == q",
    "!r",
];

fn text(random: &mut Random) -> String {
    let mut text = BEFORE.to_owned();
    for _ in 0..3 + random.below(8) {
        let _ = writeln!(text, "    {}", random.of(STEPS));
    }
    for _ in 0..3 {
        let (a, b) = (random.of(CONDITIONS), random.of(CONDITIONS));
        let _ = writeln!(text, "    if ({a} && {b}) reach_error();");
    }
    text + "    return 0;\n}\n"
}

fn lowered(text: &str, model: DataModel) -> Program {
    let mut job = Job::new(model, CppOptions::default());
    let input = Input::Text { name: "program.c".into(), text: text.as_bytes().to_vec() };
    let mut program = job.load_program(&[input], None).expect("a program");
    let Some(Specification::Claims(names)) = Specification::from_name("unreach-call") else {
        panic!("a property");
    };
    let options = vergo_passes::Options { properties: names.set(), ..Default::default() };
    run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {}).expect("passes");
    program
}

#[test]
fn a_formula_holds_where_the_execution_fails() {
    compare(DataModel::Lp64);
}

#[test]
fn so_it_does_with_32_bits() {
    compare(DataModel::Ilp32);
}

fn compare(model: DataModel) {
    let (n_programs, n_layouts) = if slow() { (4000, 40) } else { (60, 25) };
    let (mut n_compared, mut n_violated) = (0, 0);
    for seed in 0..n_programs {
        let mut random = Random(Rng::new(seed));
        let text = text(&mut random);
        let program = lowered(&text, model);
        let mut store = TermStore::new();
        let trace = execute(&program, &mut store, &Options::bounded(10, 4));
        assert!(trace.approximations.is_empty(), "{:?} in\n{text}", trace.approximations);
        for _ in 0..n_layouts {
            let mut model = Assignment::new();
            let mut wanted: Vec<TermId> = trace.addresses.values().copied().collect();
            wanted.extend(trace.steps.iter().filter_map(|step| match step.kind {
                StepKind::Input { value, .. } => Some(value),
                _ => None,
            }));
            for term in wanted {
                let value = store.bv_u64(store.width(term), random.address());
                let value = store.eval(value, &model);
                model.set(store.as_var(term).expect("a variable"), value);
            }
            let mut evaluator = Evaluator::new(&store, &model);
            let mut holds = |&term: &TermId| evaluator.value(term).as_bool();
            if !trace.constraints.iter().all(&mut holds)
                || trace.faults.iter().any(|fault| holds(&fault.condition))
            {
                continue;
            }
            let violated = trace.obligations.iter().any(|obligation| {
                matches!(obligation.kind, ObligationKind::Claim(_)) && holds(&obligation.violation)
            });
            let choices = Choices::of_model(&program, &store, &trace, &model);
            let replayed =
                Counterexample::replay(&program, choices, &Budget::within(Duration::from_secs(10)));
            assert_eq!(
                violated,
                replayed.is_ok(),
                "seed {seed}: {trace_of:?}\n{text}",
                trace_of = {
                    let at = |(object, &term): (_, &TermId)| (object, store.eval(term, &model));
                    trace.addresses.iter().map(at).collect::<Vec<_>>()
                }
            );
            n_compared += 1;
            n_violated += usize::from(violated);
        }
    }
    assert!(n_compared > 5 * n_programs as usize, "{n_compared} layouts were compared");
    assert!(n_violated * 20 > n_compared, "{n_violated} of {n_compared} executions fail");
    assert!(n_violated * 20 < n_compared * 19, "{n_violated} of {n_compared} executions fail");
}
