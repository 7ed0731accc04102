//! Derived gates over an [`Aig`]: disjunction, xor, choice, majority, adders and wide connectives.
//!
//! Shapes are chosen so that the CNF encoder can recognise them again: a xor shares its two inner
//! conjunctions with the carry of an adder, and complements are pulled out so that a gate and its
//! complement are one node.

use crate::aig::{Aig, Lit};

impl Aig {
    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Implication.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_complement() ^ b.is_complement();
        let (a, b) = (a.regular(), b.regular());
        // Constants and equal operands fall out of `and`'s own rules.
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither).complement_if(flip)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `then` where `condition` holds and `other` elsewhere.
    pub fn mux(&mut self, condition: Lit, then: Lit, other: Lit) -> Lit {
        match condition.as_constant() {
            Some(true) => return then,
            Some(false) => return other,
            None => {}
        }
        let (c, t, e) = if condition.is_complement() {
            (!condition, other, then)
        } else {
            (condition, then, other)
        };
        if t == e {
            return t;
        }
        if t == !e {
            // c ? t : !t is c iff t.
            return !self.xor(c, t);
        }
        if t == c || t == Lit::TRUE {
            return self.or(c, e);
        }
        if t == !c || t == Lit::FALSE {
            return self.and(!c, e);
        }
        if e == c || e == Lit::FALSE {
            return self.and(c, t);
        }
        if e == !c || e == Lit::TRUE {
            return self.or(!c, t);
        }
        // The first data input is kept regular so that a choice and its complement meet.
        let flip = t.is_complement();
        let (t, e) = (t.complement_if(flip), e.complement_if(flip));
        let yes = self.and(c, t);
        let no = self.and(!c, e);
        self.or(yes, no).complement_if(flip)
    }

    /// True when at least two of the three literals are.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let both = self.and(a, b);
        let either = self.or(a, b);
        let carried = self.and(c, either);
        self.or(both, carried)
    }

    /// Sum and carry of two bits.
    pub fn half_adder(&mut self, a: Lit, b: Lit) -> (Lit, Lit) {
        (self.xor(a, b), self.and(a, b))
    }

    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let partial = self.xor(a, b);
        (self.xor(partial, c), self.majority(a, b, c))
    }

    /// Ripple-carry sum of two words of equal length (least significant bit first) and a carry;
    /// the carry out comes second.
    pub fn add_words(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        assert_eq!(a.len(), b.len(), "words of an addition have one width");
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let (s, c) = self.full_adder(x, y, carry);
            sum.push(s);
            carry = c;
        }
        (sum, carry)
    }

    /// Conjunction of any number of literals, as a balanced tree.
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut layer = lits.to_vec();
        // Sorting makes equal sets of literals one node.
        layer.sort_unstable();
        layer.dedup();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.and(a, b),
                    [a] => a,
                    _ => unreachable!("chunks of two"),
                })
                .collect();
        }
        layer.first().copied().unwrap_or(Lit::TRUE)
    }

    /// Disjunction of any number of literals, as a balanced tree.
    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let complements: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.and_all(&complements)
    }

    /// Builds the condition that two words of equal length are equal.
    pub fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        assert_eq!(a.len(), b.len(), "words of an equality have one width");
        let bits: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| self.iff(x, y)).collect();
        self.and_all(&bits)
    }

    /// Builds the condition that the first word is smaller than the second one, both unsigned.
    pub fn less_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        assert_eq!(a.len(), b.len(), "words of a comparison have one width");
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            // The higher bit decides unless the two agree: this is the borrow of a - b.
            less = self.majority(!x, y, less);
        }
        less
    }

    /// Bitwise choice between two words of equal length.
    pub fn mux_words(&mut self, condition: Lit, then: &[Lit], other: &[Lit]) -> Vec<Lit> {
        assert_eq!(then.len(), other.len(), "words of a choice have one width");
        then.iter().zip(other).map(|(&t, &e)| self.mux(condition, t, e)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_have_their_truth_tables() {
        let mut aig = Aig::new();
        let inputs = [aig.input(), aig.input(), aig.input()];
        let choices: Vec<Lit> =
            inputs.iter().flat_map(|&l| [l, !l]).chain([Lit::TRUE, Lit::FALSE]).collect();
        let mut roots = Vec::new();
        for &a in &choices {
            for &b in &choices {
                for &c in &choices {
                    let (sum, carry) = aig.full_adder(a, b, c);
                    roots.push([
                        a,
                        b,
                        c,
                        aig.mux(a, b, c),
                        aig.majority(a, b, c),
                        sum,
                        carry,
                        aig.xor(a, b),
                    ]);
                }
            }
        }
        let flat: Vec<Lit> = roots.iter().flatten().copied().collect();
        for assignment in 0..8u32 {
            let values = aig.eval(&flat, |i| assignment >> i & 1 == 1);
            for row in values.chunks(8) {
                let (a, b, c) = (row[0], row[1], row[2]);
                let count = usize::from(a) + usize::from(b) + usize::from(c);
                assert_eq!(row[3], if a { b } else { c });
                assert_eq!(row[4], count >= 2);
                assert_eq!(row[5], count % 2 == 1);
                assert_eq!(row[6], count >= 2);
                assert_eq!(row[7], a ^ b);
            }
        }
    }

    #[test]
    fn words_add_and_compare() {
        let mut aig = Aig::new();
        let a: Vec<Lit> = (0..4).map(|_| aig.input()).collect();
        let b: Vec<Lit> = (0..4).map(|_| aig.input()).collect();
        let (sum, carry) = aig.add_words(&a, &b, Lit::FALSE);
        let less = aig.less_words(&a, &b);
        let equal = aig.equal_words(&a, &b);
        let mut roots = sum;
        roots.extend([carry, less, equal]);
        for x in 0..16u32 {
            for y in 0..16u32 {
                let v = aig.eval(&roots, |i| (x | y << 4) >> i & 1 == 1);
                let got = (0..5).fold(0, |acc, i| acc | u32::from(v[i]) << i);
                assert_eq!(got, x + y);
                assert_eq!(v[5], x < y);
                assert_eq!(v[6], x == y);
            }
        }
    }
}
