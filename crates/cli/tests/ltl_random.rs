//! Random programs with two global flags and random formulas about them: what `vergo check --spec` says is what an
//! explicit search of all states says, by the textbook's tableau (a state of the program and a guess for each `U` whether
//! it holds in the next state; every `U` that is guessed is fulfilled or given up again and again).

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

use vergo_testkit::Rng;
use vergo_testkit::environment::slow;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::run;

struct Random(Rng);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// Flags of the program: `a` and `b` are global, `t` is local.
type Flags = [bool; 3];

fn flag(name: &str) -> usize {
    ["a", "b", "t"].iter().position(|flag| *flag == name).expect("a flag")
}

fn value(text: &str, flags: Flags) -> bool {
    match text {
        "0" => false,
        "1" => true,
        _ => match text.strip_prefix('!') {
            Some(name) => !flags[flag(name)],
            None => flags[flag(text)],
        },
    }
}

/// Instructions of a program; jumps are by number.
#[derive(Clone, Debug)]
enum Instr {
    Set(usize, &'static str),
    /// On a choice if there is no condition.
    Branch(Option<&'static str>, usize, usize),
    End,
}

#[derive(Default)]
struct Program {
    text: String,
    code: Vec<Instr>,
}

impl Program {
    fn statements(&mut self, random: &mut Random, depth: u64) {
        for _ in 0..=random.below(3) {
            self.statement(random, depth);
        }
    }

    fn statement(&mut self, random: &mut Random, depth: u64) {
        let kind = if depth == 0 { random.below(4) } else { random.below(9) };
        let target = random.pick(&["a", "b", "a", "b", "t"]);
        let source = random.pick(&["0", "1", "a", "b", "t", "!a", "!b", "!t"]);
        match kind {
            0 | 1 => {
                self.text.push_str(&format!("{target} = {source};\n"));
                self.code.push(Instr::Set(flag(target), source));
            }
            2 => {
                self.text.push_str(&format!("{{ int *p = &{target}; *p = {source}; }}\n"));
                self.code.push(Instr::Set(flag(target), source));
            }
            3 => {
                self.text.push_str(&format!("t = {target} = {source};\n"));
                self.code.push(Instr::Set(flag(target), source));
                self.code.push(Instr::Set(flag("t"), target));
            }
            4..=6 => {
                let condition = self.condition(random, "if");
                let branch = self.code.len();
                self.code.push(Instr::End);
                self.statements(random, depth - 1);
                self.text.push_str("}\n");
                self.code[branch] = Instr::Branch(condition, branch + 1, self.code.len());
            }
            7 => {
                let condition = self.condition(random, "while");
                let branch = self.code.len();
                self.code.push(Instr::End);
                self.statements(random, depth - 1);
                self.text.push_str("}\n");
                self.code.push(Instr::Branch(Some("1"), branch, branch));
                self.code[branch] = Instr::Branch(condition, branch + 1, self.code.len());
            }
            _ => {
                let head = self.code.len();
                self.text.push_str("do {\n");
                self.statements(random, depth - 1);
                self.text.push_str("} while (nondet_int());\n");
                self.code.push(Instr::Branch(None, head, self.code.len() + 1));
            }
        }
    }

    fn condition(&mut self, random: &mut Random, word: &str) -> Option<&'static str> {
        let condition = random.pick(&["nondet_int()", "a", "!b", "t", "1"]);
        self.text.push_str(&format!("{word} ({condition}) {{\n"));
        (condition != "nondet_int()").then_some(condition)
    }

    fn next(&self, (at, flags): (usize, Flags)) -> Vec<(usize, Flags)> {
        match self.code[at] {
            Instr::End => vec![(at, flags)],
            Instr::Set(target, source) => {
                let mut after = flags;
                after[target] = value(source, flags);
                vec![(at + 1, after)]
            }
            Instr::Branch(None, then, otherwise) => vec![(then, flags), (otherwise, flags)],
            Instr::Branch(Some(condition), then, otherwise) => {
                vec![(if value(condition, flags) { then } else { otherwise }, flags)]
            }
        }
    }
}

/// Formulas over `!`, `&&` and `U`, with the text that they are an abbreviation of.
#[derive(Clone, PartialEq, Debug)]
enum Formula {
    True,
    Flag(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
}

fn not(a: Formula) -> Formula {
    Formula::Not(Box::new(a))
}

fn and(a: Formula, b: Formula) -> Formula {
    Formula::And(Box::new(a), Box::new(b))
}

fn until(a: Formula, b: Formula) -> Formula {
    Formula::Until(Box::new(a), Box::new(b))
}

fn formula(random: &mut Random, depth: u64) -> (String, Formula) {
    if depth == 0 || random.below(6) == 0 {
        let name = random.pick(&["a", "b"]);
        return (name.to_owned(), Formula::Flag(flag(name)));
    }
    let kind = random.below(10);
    let (x, a) = formula(random, depth - 1);
    match kind {
        0 => return (format!("!({x})"), not(a)),
        1 | 2 => return (format!("F({x})"), until(Formula::True, a)),
        3..=5 => return (format!("G({x})"), not(until(Formula::True, not(a)))),
        _ => {}
    }
    let (y, b) = formula(random, depth - 1);
    match kind {
        6 => (format!("({x}) -> ({y})"), not(and(a, not(b)))),
        7 => (format!("({x}) U ({y})"), until(a, b)),
        8 => (format!("({x}) R ({y})"), not(until(not(a), not(b)))),
        _ => {
            let either = not(and(not(a.clone()), not(b.clone())));
            (format!("({x}) W ({y})"), not(until(not(b), not(either))))
        }
    }
}

fn untils(formula: &Formula, found: &mut Vec<Formula>) {
    match formula {
        Formula::True | Formula::Flag(_) => {}
        Formula::Not(a) => untils(a, found),
        Formula::And(a, b) => {
            untils(a, found);
            untils(b, found);
        }
        Formula::Until(a, b) => {
            untils(a, found);
            untils(b, found);
            if !found.contains(formula) {
                found.push(formula.clone());
            }
        }
    }
}

/// Returns whether a formula holds, given which `U` hold in the next state.
fn holds(formula: &Formula, flags: Flags, untils: &[Formula], guess: u32) -> bool {
    let value = |part| holds(part, flags, untils, guess);
    match formula {
        Formula::True => true,
        Formula::Flag(flag) => flags[*flag],
        Formula::Not(a) => !value(a),
        Formula::And(a, b) => value(a) && value(b),
        Formula::Until(a, b) => {
            let number = untils.iter().position(|until| until == formula).expect("one of them");
            value(b) || (value(a) && guess >> number & 1 == 1)
        }
    }
}

/// Returns whether every execution satisfies a formula.
fn satisfies(program: &Program, formula: &Formula) -> bool {
    type Node = ((usize, Flags), u32);
    let mut all = Vec::new();
    untils(formula, &mut all);
    let guesses = 1u32 << all.len();
    let bits = |flags: Flags, guess: u32| {
        let now = all.iter().map(|until| u32::from(holds(until, flags, &all, guess)));
        now.enumerate().fold(0, |bits, (number, bit)| bits | bit << number)
    };
    let first = (0, [false; 3]);
    let mut edges: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    let violates = |guess: &u32| !holds(formula, first.1, &all, *guess);
    let mut work: Vec<Node> = (0..guesses).filter(violates).map(|guess| (first, guess)).collect();
    while let Some(node) = work.pop() {
        if edges.contains_key(&node) {
            continue;
        }
        let mut next = Vec::new();
        for state in program.next(node.0) {
            let fits = |guess: &u32| bits(state.1, *guess) == node.1;
            next.extend((0..guesses).filter(fits).map(|guess| (state, guess)));
        }
        work.extend(&next);
        edges.insert(node, next);
    }
    let reach = |from: Node| {
        let (mut seen, mut work) = (BTreeSet::new(), vec![from]);
        while let Some(node) = work.pop() {
            for &to in &edges[&node] {
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        seen
    };
    // A component with a cycle on which every `U` is fulfilled, or does not hold, is a violation.
    let mut done: BTreeSet<Node> = BTreeSet::new();
    for &node in edges.keys() {
        if done.contains(&node) {
            continue;
        }
        let after = reach(node);
        if !after.contains(&node) {
            continue;
        }
        let component: Vec<Node> = after
            .into_iter()
            .filter(|&other| other == node || reach(other).contains(&node))
            .collect();
        done.extend(&component);
        let fair = all.iter().all(|until| {
            let Formula::Until(_, goal) = until else { return true };
            component.iter().any(|&((_, flags), guess)| {
                holds(goal, flags, &all, guess) || !holds(until, flags, &all, guess)
            })
        });
        if fair {
            return false;
        }
    }
    true
}

#[test]
fn verdicts_are_those_of_an_explicit_search() {
    let n_cases = if slow() { 500 } else { 25 };
    let folder = Scratch::new("ltl-random").expect("a folder");
    let mut random = Random(Rng::new(2024));
    let mut n_true = 0;
    for _ in 0..n_cases {
        let mut program = Program::default();
        program.statements(&mut random, 2);
        if random.below(2) == 0 {
            program.text.push_str("while (1) {\n");
            let head = program.code.len();
            program.statements(&mut random, 1);
            program.text.push_str("}\n");
            program.code.push(Instr::Branch(Some("1"), head, head));
        }
        program.code.push(Instr::End);
        let (spec, formula) = formula(&mut random, 3);
        let expected = satisfies(&program, &formula);
        let source = format!(
            "int nondet_int(void);\nint a, b;\nint main(void) {{\nint t = 0;\n{}return 0;\n}}\n",
            program.text
        );
        let path = folder.write("in.c", &source).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
        let spec = format!("({spec})");
        command.args(["check", "--timeout", "60", "--spec", &spec]).arg(path);
        let done = run(&mut command, b"", Duration::from_secs(120)).expect("a run");
        let shown = done.stdout_text();
        let verdict = shown.lines().last().unwrap_or_default();
        let wanted = if expected { "RESULT: true" } else { "RESULT: false(ltl)" };
        assert_eq!(verdict, wanted, "{spec}\n{source}\n{}", done.stderr_text());
        n_true += usize::from(expected);
    }
    // Both answers come often enough.
    assert!(n_true * 8 > n_cases && n_true * 8 < n_cases * 7, "{n_true} of {n_cases}");
}
