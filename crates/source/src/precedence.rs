//! The precedence of C's operators (C17 6.5): one table for everyone who parses or prints expressions as C has them.

/// A precedence, weakest first; each level of C's grammar of expressions is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Precedence {
    /// `a, b`
    Comma,
    /// `a = b` and `a += b`
    Assign,
    /// `a ? b : c`
    Conditional,
    /// `a || b`
    LogicalOr,
    /// `a && b`
    LogicalAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a & b`
    BitAnd,
    /// `a == b`
    Equality,
    /// `a < b`
    Relational,
    /// `a << b`
    Shift,
    /// `a + b`
    Additive,
    /// `a * b`
    Multiplicative,
    /// `-a`, `*a` and casts
    Unary,
    /// `a[b]`, `a(b)` and `a.b`
    Postfix,
    /// Names, constants and parentheses.
    Primary,
}

impl Precedence {
    const ALL: [Precedence; 16] = [
        Precedence::Comma,
        Precedence::Assign,
        Precedence::Conditional,
        Precedence::LogicalOr,
        Precedence::LogicalAnd,
        Precedence::BitOr,
        Precedence::BitXor,
        Precedence::BitAnd,
        Precedence::Equality,
        Precedence::Relational,
        Precedence::Shift,
        Precedence::Additive,
        Precedence::Multiplicative,
        Precedence::Unary,
        Precedence::Postfix,
        Precedence::Primary,
    ];

    /// Returns the precedence of a binary operator from `||` to `%`, all of which are left-associative; `None` for other
    /// signs.
    #[must_use]
    pub fn of_binary(sign: &str) -> Option<Precedence> {
        Some(match sign {
            "||" => Precedence::LogicalOr,
            "&&" => Precedence::LogicalAnd,
            "|" => Precedence::BitOr,
            "^" => Precedence::BitXor,
            "&" => Precedence::BitAnd,
            "==" | "!=" => Precedence::Equality,
            "<" | ">" | "<=" | ">=" => Precedence::Relational,
            "<<" | ">>" => Precedence::Shift,
            "+" | "-" => Precedence::Additive,
            "*" | "/" | "%" => Precedence::Multiplicative,
            _ => return None,
        })
    }

    /// Returns the next stronger precedence: that of the right operand of a left-associative operator. The strongest is its
    /// own.
    #[must_use]
    pub fn tighter(self) -> Precedence {
        Precedence::ALL.get(self as usize + 1).copied().unwrap_or(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Precedence;

    #[test]
    fn each_level_is_tighter_than_the_one_before() {
        for (number, precedence) in Precedence::ALL.into_iter().enumerate() {
            assert_eq!(precedence as usize, number);
            assert!(precedence < precedence.tighter() || precedence == Precedence::Primary);
        }
        // C17 6.5.5 to 6.5.14, strongest first.
        let levels = [
            &["*", "/", "%"][..],
            &["+", "-"],
            &["<<", ">>"],
            &["<", ">", "<=", ">="],
            &["==", "!="],
        ];
        let single = [&["&"][..], &["^"], &["|"], &["&&"], &["||"]];
        let mut expected = Precedence::Multiplicative;
        for (number, signs) in levels.iter().chain(&single).enumerate() {
            for sign in *signs {
                let found = Precedence::of_binary(sign).expect("an operator");
                assert!(number == 0 || found.tighter() == expected || found == expected, "{sign}");
            }
            expected = Precedence::of_binary(signs[0]).expect("an operator");
        }
        assert_eq!(Precedence::of_binary("="), None);
    }
}
