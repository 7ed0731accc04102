//! Which branches decide whether a block is executed, by postdominators.
//!
//! **Source.** Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization", TOPLAS 1987,
//! doi 10.1145/24039.24041; postdominators by the iteration of Cooper, Harvey and Kennedy, "A simple, fast dominance
//! algorithm", 2001.
//!
//! **Loops without an exit.** A block from which the end of the function cannot be reached has no postdominator. Each jump
//! back among such blocks gets an edge to the end, so that what comes behind a branch into such a loop depends on the
//! branch. That a loop *with* an exit may run for ever is no dependence here.

use crate::cfg::Cfg;

/// Blocks of a function, and what they depend on.
#[derive(Clone, Debug)]
pub struct Control {
    leaders: Vec<usize>,
    lasts: Vec<usize>,
    block_of: Vec<usize>,
    /// The nearest block that every way to the end passes; the number of blocks stands for the end.
    postdominators: Vec<usize>,
    controllers: Vec<Vec<usize>>,
    endless: Vec<usize>,
    back: Vec<usize>,
}

impl Control {
    /// The blocks of a function.
    pub fn of(cfg: &Cfg) -> Control {
        let leaders = if cfg.is_empty() { Vec::new() } else { cfg.leaders() };
        let n = leaders.len();
        let mut block_of = vec![usize::MAX; cfg.len()];
        let mut lasts = Vec::with_capacity(n);
        for (block, &leader) in leaders.iter().enumerate() {
            let last = cfg.block_end(&leaders, block) - 1;
            block_of[leader..=last].fill(block);
            lasts.push(last);
        }
        let mut successors: Vec<Vec<usize>> = lasts
            .iter()
            .map(|&last| {
                let to = |at: usize| if at < cfg.len() { block_of[at] } else { n };
                let mut to: Vec<usize> = cfg.successors(last).map(to).collect();
                if to.is_empty() {
                    to.push(n);
                }
                to.dedup();
                to
            })
            .collect();
        let back: Vec<usize> = (0..n)
            .filter(|&block| {
                cfg.is_reachable(leaders[block]) && successors[block].iter().any(|&to| to <= block)
            })
            .collect();
        let endless = add_exits(&mut successors, &back);
        let postdominators = postdominators(&successors);
        let mut controllers = vec![Vec::new(); n];
        for block in (0..n).filter(|&block| successors[block].len() > 1) {
            for &to in &successors[block] {
                let mut at = to;
                while at != postdominators[block] && at < n {
                    if controllers[at].last() != Some(&block) {
                        controllers[at].push(block);
                    }
                    at = postdominators[at];
                }
            }
        }
        Control { leaders, lasts, block_of, postdominators, controllers, endless, back }
    }

    /// The block of a position that control can get to.
    pub fn block_of(&self, at: usize) -> usize {
        self.block_of[at]
    }

    /// The last position of a block.
    pub fn last(&self, block: usize) -> usize {
        self.lasts[block]
    }

    /// The blocks at whose end it is decided whether a block is executed.
    pub fn controllers(&self, block: usize) -> &[usize] {
        &self.controllers[block]
    }

    /// The position that every way from a block to the end of the function passes next; `None` is the end.
    pub fn next_common(&self, block: usize) -> Option<usize> {
        self.leaders.get(self.postdominators[block]).copied()
    }

    /// Blocks with a jump back from which the end of the function cannot be reached.
    pub fn endless(&self) -> &[usize] {
        &self.endless
    }

    /// Blocks with a jump back.
    pub fn back(&self) -> &[usize] {
        &self.back
    }
}

/// Gives every jump back from which the end cannot be reached an edge there; gives these blocks.
fn add_exits(successors: &mut [Vec<usize>], back: &[usize]) -> Vec<usize> {
    let n = successors.len();
    let mut predecessors = vec![Vec::new(); n + 1];
    for (block, to) in successors.iter().enumerate() {
        to.iter().for_each(|&to| predecessors[to].push(block));
    }
    let mut ends = vec![false; n + 1];
    let mut pending = vec![n];
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut ends[block], true) {
            pending.extend(&predecessors[block]);
        }
    }
    let endless: Vec<usize> = back.iter().copied().filter(|&block| !ends[block]).collect();
    endless.iter().for_each(|&block| successors[block].push(n));
    endless
}

/// The immediate postdominators of blocks; the number of blocks is the end, and stands for those that have none.
fn postdominators(successors: &[Vec<usize>]) -> Vec<usize> {
    let n = successors.len();
    let mut predecessors = vec![Vec::new(); n + 1];
    for (block, to) in successors.iter().enumerate() {
        to.iter().for_each(|&to| predecessors[to].push(block));
    }
    // Postorder of the reversed graph from the end.
    let mut order = Vec::with_capacity(n + 1);
    let mut number = vec![usize::MAX; n + 1];
    let mut seen = vec![false; n + 1];
    let mut stack = vec![(n, 0)];
    seen[n] = true;
    while let Some((block, next)) = stack.last_mut() {
        match predecessors[*block].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                number[*block] = order.len();
                order.push(*block);
                stack.pop();
            }
        }
    }
    const NONE: usize = usize::MAX;
    let mut dominator = vec![NONE; n + 1];
    dominator[n] = n;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|&&block| block != n) {
            let mut new = NONE;
            for &to in successors[block].iter().filter(|&&to| dominator[to] != NONE) {
                new = if new == NONE { to } else { meet(&dominator, &number, new, to) };
            }
            if dominator[block] != new {
                dominator[block] = new;
                changed = true;
            }
        }
    }
    dominator.truncate(n);
    dominator.into_iter().map(|block| if block == NONE { n } else { block }).collect()
}

fn meet(dominator: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = dominator[a];
        }
        while number[b] < number[a] {
            b = dominator[b];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_testkit::Rng;

    /// Postdominators by the definition: a block on every way from another to the end.
    fn by_definition(successors: &[Vec<usize>], block: usize, on_way: usize) -> bool {
        let n = successors.len();
        let mut seen = vec![false; n + 1];
        let mut pending = vec![block];
        while let Some(at) = pending.pop() {
            if at == on_way || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if at < n {
                pending.extend(&successors[at]);
            }
        }
        !seen[n]
    }

    #[test]
    fn postdominators_are_on_every_way() {
        let mut rng = Rng::new(3);
        for round in 0..400 {
            let n = 1 + round % 8;
            let mut successors: Vec<Vec<usize>> = Vec::new();
            for block in 0..n {
                let mut to = vec![(block + 1).min(n)];
                if !rng.one_in(4) {
                    to.push(rng.below(n + 1));
                }
                to.dedup();
                successors.push(to);
            }
            let back: Vec<usize> =
                (0..n).filter(|&b| successors[b].iter().any(|&to| to <= b)).collect();
            add_exits(&mut successors, &back);
            let found = postdominators(&successors);
            for block in 0..n {
                let mut chain = Vec::new();
                let mut at = block;
                while at < n {
                    at = found[at];
                    chain.push(at);
                }
                for other in (0..=n).filter(|&other| other != block) {
                    assert_eq!(
                        chain.contains(&other),
                        other == n || by_definition(&successors, block, other),
                        "{block} {other} {successors:?}"
                    );
                }
            }
        }
    }
}
