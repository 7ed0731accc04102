//! Formulas against words: what the automata of random formulas accept is what the formulas say, on random words that
//! are periodic in the end.

use cranelift_entity::PrimaryMap;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::BTreeSet;
use vergo_automata::ltl::Formula;
use vergo_automata::ltl::buchi::{Buchi, StateId, buchi};
use vergo_automata::ltl::formula::{Atom, AtomId, Meaning, Node, NodeId};
use vergo_automata::ltl::monitor::Monitor;
use vergo_automata::ltl::normal::{Normal, NormalId, Normals};
use vergo_source::Span;

const ATOMS: u32 = 3;

/// An infinite word: positions, of which the last is followed by the one at `back`.
#[derive(Clone, Debug)]
struct Word {
    letters: Vec<u8>,
    back: usize,
}

impl Word {
    fn next(&self, at: usize) -> usize {
        if at + 1 == self.letters.len() { self.back } else { at + 1 }
    }

    fn holds(&self, at: usize, atom: AtomId) -> bool {
        self.letters[at] >> atom.as_u32() & 1 == 1
    }

    /// The least or greatest solution of `f(at) = one(at) or (two(at) and f(next(at)))`.
    fn solve(&self, least: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![!least; self.letters.len()];
        for _ in 0..=self.letters.len() {
            for at in (0..self.letters.len()).rev() {
                values[at] = step(at, values[self.next(at)]);
            }
        }
        values
    }

    /// At which positions a formula holds, by the definition of its operators.
    fn evaluate(&self, formula: &Formula, node: NodeId) -> Vec<bool> {
        let value = |node| self.evaluate(formula, node);
        let all = 0..self.letters.len();
        match formula.nodes[node] {
            Node::Constant(value) => vec![value; self.letters.len()],
            Node::Atom(atom) => all.map(|at| self.holds(at, atom)).collect(),
            Node::Not(a) => value(a).into_iter().map(|a| !a).collect(),
            Node::And(a, b) => zip(value(a), value(b), |a, b| a && b),
            Node::Or(a, b) => zip(value(a), value(b), |a, b| a || b),
            Node::Implies(a, b) => zip(value(a), value(b), |a, b| !a || b),
            Node::Iff(a, b) => zip(value(a), value(b), |a, b| a == b),
            Node::Next(a) => {
                let a = value(a);
                all.map(|at| a[self.next(at)]).collect()
            }
            Node::Finally(a) => {
                let a = value(a);
                self.solve(true, |at, next| a[at] || next)
            }
            Node::Globally(a) => {
                let a = value(a);
                self.solve(false, |at, next| a[at] && next)
            }
            Node::Until(a, b) => {
                let (a, b) = (value(a), value(b));
                self.solve(true, |at, next| b[at] || (a[at] && next))
            }
            Node::WeakUntil(a, b) => {
                let (a, b) = (value(a), value(b));
                self.solve(false, |at, next| b[at] || (a[at] && next))
            }
            Node::Release(a, b) => {
                let (a, b) = (value(a), value(b));
                self.solve(false, |at, next| b[at] && (a[at] || next))
            }
            Node::StrongRelease(a, b) => {
                let (a, b) = (value(a), value(b));
                self.solve(true, |at, next| b[at] && (a[at] || next))
            }
        }
    }

    /// Returns whether an automaton accepts the word: a cycle with all accepting sets can be reached.
    fn accepted(&self, automaton: &Buchi) -> bool {
        let steps = |(state, at): (StateId, usize)| {
            let fits = move |edge: &&vergo_automata::ltl::buchi::Edge| {
                edge.cube.iter().all(|&(atom, value)| self.holds(at, atom) == value)
            };
            let edges = automaton.states[state].iter().filter(fits);
            edges.map(move |edge| ((edge.to, self.next(at)), edge.accepting))
        };
        let reach = |from: (StateId, usize)| {
            let (mut seen, mut work) = (BTreeSet::new(), vec![from]);
            while let Some(node) = work.pop() {
                for (to, _) in steps(node) {
                    if seen.insert(to) {
                        work.push(to);
                    }
                }
            }
            seen
        };
        let start = (automaton.start, 0);
        let mut reachable = reach(start);
        reachable.insert(start);
        reachable.iter().any(|&node| {
            let after = reach(node);
            if !after.contains(&node) || !automaton.recurring.contains(&node.0) {
                return false;
            }
            // The component of the node: what it reaches and is reached from.
            let component: BTreeSet<_> =
                after.iter().copied().filter(|&other| reach(other).contains(&node)).collect();
            let inside = component.iter().flat_map(|&from| steps(from));
            let sets = inside.filter(|(to, _)| component.contains(to)).map(|(_, sets)| sets);
            sets.fold(0, |all, sets| all | sets) == automaton.all_sets()
        })
    }
}

fn zip(a: Vec<bool>, b: Vec<bool>, f: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
}

/// A formula as a tree, to be generated.
#[derive(Clone, Debug)]
enum Tree {
    Constant(bool),
    Atom(u32),
    Unary(u8, Box<Tree>),
    Binary(u8, Box<Tree>, Box<Tree>),
}

fn tree(with_next: bool) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Tree::Constant),
        9 => (0..ATOMS).prop_map(Tree::Atom),
    ];
    let n_unary = if with_next { 4u8 } else { 3 };
    leaf.prop_recursive(4, 12, 2, move |inner| {
        prop_oneof![
            (0..n_unary, inner.clone()).prop_map(|(op, a)| Tree::Unary(op, Box::new(a))),
            (0..8u8, inner.clone(), inner).prop_map(|(op, a, b)| Tree::Binary(
                op,
                Box::new(a),
                Box::new(b)
            )),
        ]
    })
}

fn word() -> impl Strategy<Value = Word> {
    (proptest::collection::vec(0..1u8 << ATOMS, 1..7), any::<prop::sample::Index>())
        .prop_map(|(letters, back)| Word { back: back.index(letters.len()), letters })
}

fn add(nodes: &mut PrimaryMap<NodeId, Node>, tree: &Tree) -> NodeId {
    let node = match tree {
        Tree::Constant(value) => Node::Constant(*value),
        Tree::Atom(atom) => Node::Atom(AtomId::from_u32(*atom)),
        Tree::Unary(op, a) => {
            let make = [Node::Not, Node::Finally, Node::Globally, Node::Next][usize::from(*op)];
            make(add(nodes, a))
        }
        Tree::Binary(op, a, b) => {
            let all = [
                Node::And,
                Node::Or,
                Node::Implies,
                Node::Iff,
                Node::Until,
                Node::WeakUntil,
                Node::Release,
                Node::StrongRelease,
            ];
            let (a, b) = (add(nodes, a), add(nodes, b));
            all[usize::from(*op)](a, b)
        }
    };
    nodes.push(node)
}

fn formula(tree: &Tree) -> Formula {
    let mut nodes = PrimaryMap::new();
    let root = add(&mut nodes, tree);
    let atom = |number: u32| Atom {
        name: format!("p{number}"),
        meaning: Meaning::Condition(format!("x{number}")),
        span: Span::DUMMY,
    };
    Formula {
        text: String::new(),
        span: Span::DUMMY,
        nodes,
        root,
        atoms: (0..ATOMS).map(atom).collect(),
    }
}

/// Returns whether a formula without temporal operators holds for a letter.
fn of_letter(normals: &Normals, id: NormalId, letter: u8) -> bool {
    match normals.node(id) {
        Normal::Constant(value) => *value,
        Normal::Literal(atom, positive) => (letter >> atom.as_u32() & 1 == 1) == *positive,
        Normal::And(parts) => parts.iter().all(|&part| of_letter(normals, part, letter)),
        Normal::Or(parts) => parts.iter().any(|&part| of_letter(normals, part, letter)),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn automata_accept_what_formulas_say(
        tree in tree(true),
        words in proptest::collection::vec(word(), 8),
    ) {
        let formula = formula(&tree);
        let mut normals = Normals::default();
        let root = normals.of(&formula, formula.root, true);
        let negation = normals.of(&formula, formula.root, false);
        let negated = normals.negated(root);
        for (root, positive) in [(root, true), (negation, false), (negated, false)] {
            let Some(automaton) = buchi(&mut normals, root) else { continue };
            for word in &words {
                let expected = word.evaluate(&formula, formula.root)[0] == positive;
                prop_assert_eq!(word.accepted(&automaton), expected, "{:?} {:?}", word, automaton);
            }
        }
    }

    #[test]
    fn what_stays_for_ever_is_a_formula_of_its_letter(tree in tree(true), letter in 0..1u8 << ATOMS) {
        let formula = formula(&tree);
        let mut normals = Normals::default();
        let root = normals.of(&formula, formula.root, true);
        let word = Word { letters: vec![letter], back: 0 };
        let now = normals.constant_word(root);
        prop_assert_eq!(of_letter(&normals, now, letter), word.evaluate(&formula, formula.root)[0]);
    }

    #[test]
    fn conjuncts_are_the_formula(tree in tree(true), word in word()) {
        let formula = formula(&tree);
        let mut normals = Normals::default();
        let parts = normals.conjuncts(&formula);
        let all = parts.into_iter().all(|part| {
            buchi(&mut normals, part).is_none_or(|automaton| word.accepted(&automaton))
        });
        prop_assert_eq!(all, word.evaluate(&formula, formula.root)[0]);
    }

    /// A monitor fails exactly on the words that violate the formula, and at the same place however often letters come.
    #[test]
    fn monitors_fail_where_formulas_are_violated(
        tree in tree(false),
        words in proptest::collection::vec(word(), 8),
        repeat in 1..3usize,
    ) {
        let formula = formula(&tree);
        let mut normals = Normals::default();
        let root = normals.of(&formula, formula.root, true);
        if !normals.is_safety(root) {
            return Ok(());
        }
        let negation = normals.negated(root);
        let Some(automaton) = buchi(&mut normals, negation) else { return Ok(()) };
        let Some(monitor) = Monitor::of(&automaton, ATOMS as usize) else { return Ok(()) };
        for word in &words {
            let holds = word.evaluate(&formula, formula.root)[0];
            let mut state = Some(monitor.start);
            let mut at = 0;
            for _ in 0..word.letters.len() * (monitor.states.len() + 1) {
                for _ in 0..repeat {
                    state = state.and_then(|state| monitor.step(state, |atom| word.holds(at, atom)));
                }
                at = word.next(at);
            }
            prop_assert_eq!(state.is_some(), holds, "{:?} {:?}", word, monitor);
        }
    }
}

/// The share of random safety formulas without a monitor is small: the test above is not empty.
#[test]
fn most_safety_formulas_have_monitors() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut n_safe, mut n_monitors) = (0, 0);
    for _ in 0..2000 {
        let tree = tree(false).new_tree(&mut runner).expect("a tree").current();
        let formula = formula(&tree);
        let mut normals = Normals::default();
        let root = normals.of(&formula, formula.root, true);
        if normals.is_safety(root) {
            let negation = normals.negated(root);
            let automaton = buchi(&mut normals, negation).expect("a small automaton");
            n_safe += 1;
            n_monitors += usize::from(Monitor::of(&automaton, ATOMS as usize).is_some());
        }
    }
    assert!(n_safe > 800 && n_monitors * 100 > n_safe * 99, "{n_monitors} of {n_safe}");
}
