//! Clauses that others imply, as far as their forms show: bounds by constants, and what is said of cases.

use vergo_goto::expr::BinaryOp;
use vergo_passes::contracts::{Contract, Formula};

/// Drops the clauses of contracts that follow from others.
pub(super) fn drop_implied(contracts: &mut [Contract]) {
    for contract in contracts {
        for clauses in [&mut contract.requires, &mut contract.ensures] {
            let all = std::mem::take(clauses);
            for (i, clause) in all.iter().enumerate() {
                // Of those that say the same the first stays.
                let says_it = |(j, other): (usize, &Formula)| {
                    i != j && implies(other, clause) && (j < i || !implies(clause, other))
                };
                if !all.iter().enumerate().any(says_it) {
                    clauses.push(clause.clone());
                }
            }
        }
    }
}

/// Checks whether a formula implies another. If it does not say so, it may all the same.
pub(super) fn implies(a: &Formula, b: &Formula) -> bool {
    if a == b {
        return true;
    }
    if let Formula::Binary(BinaryOp::Implies, case, then) = b {
        if let Formula::Binary(BinaryOp::Implies, wider, says) = a
            && implies(case, wider)
            && implies(says, then)
        {
            return true;
        }
        return implies(a, then);
    }
    if let (Formula::Binary(BinaryOp::Lt, x, y), Formula::Binary(BinaryOp::Le, v, w)) = (a, b)
        && (x, y) == (v, w)
    {
        return true;
    }
    let Some((word, least, greatest)) = range(a) else { return false };
    if let Formula::Binary(BinaryOp::Ne, other, number) = b
        && let Formula::Int(_, _, number) = **number
    {
        return word == &**other && !(least..=greatest).contains(&number);
    }
    range(b).is_some_and(|(other, low, high)| word == other && low <= least && greatest <= high)
}

/// The word of which a formula says between which numbers it is.
fn range(formula: &Formula) -> Option<(&Formula, i128, i128)> {
    let Formula::Binary(op, left, right) = formula else { return None };
    match (op, &**left, &**right) {
        (BinaryOp::Le, &Formula::Int(_, _, number), word) => Some((word, number, i128::MAX)),
        (BinaryOp::Le, word, &Formula::Int(_, _, number)) => Some((word, i128::MIN, number)),
        (BinaryOp::Lt, &Formula::Int(_, _, number), word) => Some((word, number + 1, i128::MAX)),
        (BinaryOp::Lt, word, &Formula::Int(_, _, number)) => Some((word, i128::MIN, number - 1)),
        (BinaryOp::Eq, word, &Formula::Int(_, _, number)) => Some((word, number, number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::program::FunctionId;

    #[test]
    fn weaker_clauses_go() {
        let int = |n: i128| Formula::Int(true, 32, n);
        let (x, y) = (Formula::Param(0), Formula::Param(1));
        let at_least = |n: i128| Formula::binary(BinaryOp::Le, int(n), x.clone());
        let at_most = |n: i128| Formula::binary(BinaryOp::Le, x.clone(), int(n));
        let not = |n: i128| Formula::binary(BinaryOp::Ne, x.clone(), int(n));
        let is = |n: i128| Formula::binary(BinaryOp::Eq, x.clone(), int(n));
        let order = |op: BinaryOp| Formula::binary(op, x.clone(), y.clone());
        let case = |a: Formula, b: Formula| Formula::binary(BinaryOp::Implies, a, b);
        let left = |clauses: Vec<Formula>| {
            let (function, ensures) = (FunctionId::from_u32(0), Vec::new());
            let mut contracts = [Contract { function, requires: clauses, ensures }];
            drop_implied(&mut contracts);
            contracts[0].requires.clone()
        };
        assert_eq!(left(vec![at_least(0), at_least(1), not(0), not(3)]), [at_least(1), not(3)]);
        assert_eq!(left(vec![at_least(0), at_most(9), is(4)]), [is(4)]);
        assert_eq!(left(vec![order(BinaryOp::Le), order(BinaryOp::Lt)]), [order(BinaryOp::Lt)]);
        let (wide, narrow) = (case(at_least(0), is(4)), case(at_least(2), at_most(5)));
        assert_eq!(left(vec![narrow.clone(), wide.clone()]), [wide]);
        let other = case(at_least(0), at_most(5));
        assert_eq!(left(vec![narrow, other.clone(), other.clone()]), [other]);
    }
}
