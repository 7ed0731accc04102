//! Static control dependence: on which conditional jumps it depends whether an instruction is executed.
//!
//! An instruction depends on a jump if it is sure to be executed after one of the jump's outcomes but not after the other
//! (Ferrante, Ottenstein, Warren, "The Program Dependence Graph and Its Use in Optimization", TOPLAS 1987,
//! doi 10.1145/24039.24041): it stands on the way from a successor of the jump up the tree of post-dominators to the jump's
//! own. Post-dominators are computed by the iteration of Cooper, Harvey and Kennedy.

use vergo_goto::program::{Instr, InstrKind};

/// For each instruction of a body, the conditional jumps that it depends on.
pub(crate) struct ControlDependence {
    parents: Vec<Vec<u32>>,
}

impl ControlDependence {
    pub(crate) fn of(body: &[Instr], n_labels: u32) -> ControlDependence {
        let successors = successors(body, n_labels);
        let exit = body.len();
        let dominator = post_dominators(&successors, exit);
        let mut parents = vec![Vec::new(); body.len()];
        for (jump, next) in successors.iter().enumerate() {
            if next.len() < 2 {
                continue;
            }
            let Some(end) = dominator[jump] else { continue };
            for &start in next {
                let mut at = start;
                while at != end && at != exit {
                    if parents[at].last() != Some(&(jump as u32)) {
                        parents[at].push(jump as u32);
                    }
                    let Some(up) = dominator[at] else { break };
                    at = up;
                }
            }
        }
        ControlDependence { parents }
    }

    /// The jumps that decide whether an instruction is executed.
    pub(crate) fn parents(&self, instr: usize) -> &[u32] {
        self.parents.get(instr).map_or(&[], Vec::as_slice)
    }
}

/// The instructions that can come next; the end of the body stands for leaving the function.
fn successors(body: &[Instr], n_labels: u32) -> Vec<Vec<usize>> {
    let exit = body.len();
    let mut label_at = vec![exit; n_labels as usize];
    for (i, instr) in body.iter().enumerate() {
        if let InstrKind::Label(label) = instr.kind {
            label_at[label.as_u32() as usize] = i;
        }
    }
    let target = |label: vergo_goto::program::LabelId| label_at[label.as_u32() as usize];
    body.iter()
        .enumerate()
        .map(|(i, instr)| match instr.kind {
            InstrKind::Goto(None, label) => vec![target(label)],
            InstrKind::Goto(Some(_), label) if target(label) != i + 1 => vec![target(label), i + 1],
            InstrKind::Return(_) | InstrKind::End(_) => vec![exit],
            _ => vec![i + 1],
        })
        .collect()
}

/// The immediate post-dominator of each instruction; none if the end cannot be reached from it.
fn post_dominators(successors: &[Vec<usize>], exit: usize) -> Vec<Option<usize>> {
    let n = exit + 1;
    let mut predecessors = vec![Vec::new(); n];
    for (from, next) in successors.iter().enumerate() {
        for &to in next {
            predecessors[to].push(from);
        }
    }
    // Post-order of the reversed graph, from the exit.
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((node, next)) = stack.last_mut() {
        if let Some(&before) = predecessors[*node].get(*next) {
            *next += 1;
            if !seen[before] {
                seen[before] = true;
                stack.push((before, 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    let mut number = vec![0; n];
    for (i, &node) in order.iter().enumerate() {
        number[node] = i;
    }
    let mut dominator: Vec<Option<usize>> = vec![None; n];
    dominator[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&node| node != exit) {
            let mut new = None;
            for &next in &successors[node] {
                if dominator[next].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => next,
                    Some(other) => intersect(&dominator, &number, next, other),
                });
            }
            if new.is_some() && new != dominator[node] {
                dominator[node] = new;
                changed = true;
            }
        }
    }
    dominator
}

fn intersect(dominator: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            let Some(up) = dominator[a] else { return b };
            a = up;
        }
        while number[b] < number[a] {
            let Some(up) = dominator[b] else { return a };
            b = up;
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependence(text: &str) -> ControlDependence {
        let program = vergo_goto::text::parse(text).unwrap();
        let function = &program.functions[program.entry.unwrap()];
        ControlDependence::of(function.body.as_deref().unwrap(), function.n_labels)
    }

    #[test]
    fn branches_and_joins() {
        // 0 decl, 1 if, 2 assign, 3 label, 4 assign, 5 end
        let control = dependence(
            "entry main; function main: fn() -> void labels 1 { local x: i32 align 4; decl x;
             if x == 0i32 goto L0; x := 1i32; L0: x := 2i32; end x; }",
        );
        assert_eq!(control.parents(2), [1]);
        assert!(control.parents(4).is_empty());
    }

    #[test]
    fn loops_depend_on_their_own_test() {
        // 0 decl, 1 label, 2 if, 3 assign, 4 goto, 5 label, 6 end
        let control = dependence(
            "entry main; function main: fn() -> void labels 2 { local x: i32 align 4; decl x;
             L0: if x == 5i32 goto L1; x := x + 1i32; goto L0; L1: end x; }",
        );
        assert_eq!(control.parents(3), [2]);
        assert_eq!(control.parents(2), [2]);
        assert!(control.parents(6).is_empty());
    }
}
