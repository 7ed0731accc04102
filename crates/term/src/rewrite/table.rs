//! The table of rewrite rules. See [`RuleExample`] for the letters.

use super::RuleExample;

macro_rules! rules {
    ($($name:ident { $($pattern:literal => $result:literal)+ })*) => {
        /// A rewrite rule.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rule {
            $(
                $(#[doc = concat!("`", $pattern, "` becomes `", $result, "`.\n")])+
                $name,
            )*
        }

        impl Rule {
            /// All rules, in the order of the table.
            pub const ALL: &'static [Rule] = &[$(Rule::$name),*];

            /// The rule's name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Rule::$name => stringify!($name),)*
                }
            }

            /// Returns examples of the rule.
            pub fn examples(self) -> &'static [RuleExample] {
                match self {
                    $(Rule::$name => &[$(RuleExample { pattern: $pattern, result: $result }),+],)*
                }
            }
        }
    };
}

/// The number of times that each rule has fired.
#[derive(Clone, Debug)]
pub(crate) struct RuleCounts([u64; Rule::ALL.len()]);

impl Default for RuleCounts {
    fn default() -> RuleCounts {
        RuleCounts([0; Rule::ALL.len()])
    }
}

impl RuleCounts {
    pub(crate) fn count(&mut self, rule: Rule) {
        self.0[rule as usize] += 1;
    }

    pub(crate) fn get(&self, rule: Rule) -> u64 {
        self.0[rule as usize]
    }
}

rules! {
    // Any operator.
    ConstantFold {
        "(bvadd c d)" => "(bvadd c d)"
        "(bvult c d)" => "(bvult c d)"
        "(fp.add RNE (fp #b0 #b01 #b00) (fp #b0 #b01 #b01))" => "(fp #b0 #b10 #b00)"
    }
    LiftIte {
        "(bvadd (ite p c d) c)" => "(ite p (bvadd c c) (bvadd d c))"
        "(bvult (ite p c #b010) d)" => "(ite p (bvult c d) (bvult #b010 d))"
        "(bvnot (ite p c d))" => "(ite p (bvnot c) (bvnot d))"
    }
    LiftIteSameCondition {
        "(bvadd (ite p c d) (ite p d #b001))" => "(ite p (bvadd c d) (bvadd d #b001))"
    }

    // Truth values.
    NotNot { "(not (not p))" => "p" }
    AndTrue { "(and p true)" => "p" }
    AndFalse { "(and p false)" => "false" }
    AndSame { "(and p p)" => "p" }
    AndComplement { "(and p (not p))" => "false" }
    AndAbsorb { "(and p (and p q))" => "(and p q)" }
    AndConflict { "(and p (and (not p) q))" => "false" "(and (not p) (and p q))" => "false" }
    AndAbsorbOr { "(and p (or p q))" => "p" }
    AndResolve { "(and p (or (not p) q))" => "(and p q)" }
    AndEqEq { "(and (= x c) (= x d))" => "(and (= x c) (= c d))" }
    AndEqNotEq { "(and (= x c) (not (= x d)))" => "(and (= x c) (not (= c d)))" }
    AndOrderConflict {
        "(and (bvult x y) (bvult y x))" => "false"
        "(and (bvslt x y) (bvslt y x))" => "false"
        "(and (fp.lt f g) (fp.lt g f))" => "false"
    }

    // Choice.
    IteConstant { "(ite true x y)" => "x" "(ite false x y)" => "y" }
    IteSame { "(ite p x x)" => "x" }
    IteNot { "(ite (not p) x y)" => "(ite p y x)" }
    IteEq { "(ite (= x y) x y)" => "y" "(ite (= x y) y x)" => "x" "(ite (= x c) c x)" => "x" }
    IteNestedThen { "(ite p (ite p x y) z)" => "(ite p x z)" }
    IteNestedElse { "(ite p x (ite p y z))" => "(ite p x z)" }
    IteMergeThen { "(ite p (ite q x y) y)" => "(ite (and p q) x y)" }
    IteMergeThenNot { "(ite p (ite q y x) y)" => "(ite (and p (not q)) x y)" }
    IteMergeElse { "(ite p x (ite q x y))" => "(ite (or p q) x y)" }
    IteMergeElseNot { "(ite p x (ite q y x))" => "(ite (or p (not q)) x y)" }
    IteTrueThen { "(ite p true q)" => "(or p q)" "(ite p p q)" => "(or p q)" }
    IteFalseThen {
        "(ite p false q)" => "(and (not p) q)"
        "(ite p (not p) q)" => "(and (not p) q)"
    }
    IteTrueElse { "(ite p q true)" => "(=> p q)" "(ite p q (not p))" => "(=> p q)" }
    IteFalseElse { "(ite p q false)" => "(and p q)" "(ite p q p)" => "(and p q)" }
    IteComplement { "(ite p q (not q))" => "(= p q)" "(ite p (not q) q)" => "(xor p q)" }
    IteBit { "(ite (= b #b1) #b1 #b0)" => "b" }
    IteBitNot { "(ite (= b #b1) #b0 #b1)" => "(bvnot b)" }
    IteAdd {
        "(ite p (bvadd x c) x)" => "(bvadd x (ite p c #b000))"
        "(ite p (bvadd x c) (bvadd x d))" => "(bvadd x (ite p c d))"
    }
    IteSignExtend { "(ite p ((_ sign_extend 1) u) ((_ sign_extend 1) v))" => "((_ sign_extend 1) (ite p u v))" }
    IteConcatSameHigh {
        "(ite p (concat b u) (concat b v))" => "(concat b (ite p u v))"
        "(ite p (concat #b0 u) #b010)" => "(concat #b0 (ite p u #b10))"
    }
    IteConcatSameLow { "(ite p (concat b u) (concat s u))" => "(concat (ite p b s) u)" }
    IteStores { "(ite p (store a i b) (store a i s))" => "(store a i (ite p b s))" }
    IteStoreThen { "(ite p (store a i b) a)" => "(store a i (ite p b (select a i)))" }
    IteStoreElse { "(ite p a (store a i b))" => "(store a i (ite p (select a i) b))" }

    // Equality.
    EqSame { "(= x x)" => "true" "(= a a)" => "true" "(= f f)" => "true" }
    EqIteThen { "(= (ite p x y) x)" => "(or p (= y x))" "(= (ite p c x) c)" => "(or p (= x c))" }
    EqIteElse {
        "(= (ite p x y) y)" => "(or (not p) (= x y))"
        "(= (ite p x d) d)" => "(or (not p) (= x d))"
    }
    EqIteNotThen { "(= (ite p c x) d)" => "(or (and p (= c d)) (and (not p) (= x d)))" }
    EqIteNotElse { "(= (ite p x c) d)" => "(or (and (not p) (= c d)) (and p (= x d)))" }
    EqItes { "(= (ite p c d) (ite q c d))" => "(or (= p q) (= c d))" }
    EqItesSwapped { "(= (ite p c d) (ite q d c))" => "(or (xor p q) (= c d))" }
    EqTrue { "(= p true)" => "p" }
    EqFalse { "(= p false)" => "(not p)" }
    EqComplement { "(= p (not p))" => "false" }
    EqNotNot { "(= (not p) (not q))" => "(= p q)" }
    EqNot { "(= (not p) q)" => "(not (= p q))" "(= p (not q))" => "(not (= p q))" }
    EqBitZero { "(= b #b0)" => "(not (= b #b1))" }
    EqAboveBound { "(= (bvurem x #b011) #b101)" => "false" "(= (bvudiv x c) d)" => "(= d (bvudiv x c))" }
    EqBvNotConstant { "(= (bvnot x) c)" => "(= x (bvnot c))" }
    EqBvNegConstant { "(= (bvneg x) c)" => "(= x (bvneg c))" }
    EqAddConstant { "(= (bvadd x c) d)" => "(= x (bvsub d c))" }
    EqXorConstant { "(= (bvxor x c) d)" => "(= x (bvxor d c))" }
    EqMulOdd { "(= (bvmul x #b011) c)" => "(= x (bvmul c #b011))" "(= (bvmul x c) d)" => "(= (bvmul c x) d)" }
    EqMulEven { "(= (bvmul x #b110) #b001)" => "false" "(= (bvmul x c) d)" => "(= (bvmul c x) d)" }
    EqAndOnes { "(= (bvand x y) #b111)" => "(and (= x #b111) (= y #b111))" }
    EqAndConflict { "(= (bvand x #b101) #b010)" => "false" "(= (bvand x c) d)" => "(= (bvand c x) d)" }
    EqConcatConstant { "(= (concat b u) c)" => "(and (= b ((_ extract 2 2) c)) (= u ((_ extract 1 0) c)))" }
    EqSignExtendConstant {
        "(= ((_ sign_extend 1) u) c)"
            => "(and (= u ((_ extract 1 0) c)) (= c ((_ sign_extend 1) ((_ extract 1 0) c))))"
    }
    EqSignExtendConflict { "(= ((_ sign_extend 1) u) #b010)" => "false" }
    EqBvComplement { "(= x (bvnot x))" => "false" }
    EqBvNotNot { "(= (bvnot x) (bvnot y))" => "(= x y)" }
    EqBvNegNeg { "(= (bvneg x) (bvneg y))" => "(= x y)" }
    EqSignExtend { "(= ((_ sign_extend 1) u) ((_ sign_extend 1) v))" => "(= u v)" }
    EqAddCancel { "(= (bvadd x y) (bvadd x z))" => "(= y z)" "(= (bvadd y x) (bvadd x z))" => "(= y z)" }
    EqAddSelf { "(= (bvadd x y) x)" => "(= y #b000)" "(= (bvadd x c) x)" => "(= c #b000)" }
    EqXorCancel { "(= (bvxor x y) (bvxor x z))" => "(= y z)" }
    EqXorSelf { "(= (bvxor x y) x)" => "(= y #b000)" }
    EqAddConstants { "(= (bvadd x c) (bvadd y d))" => "(= (bvadd x (bvsub c d)) y)" }
    EqConcat { "(= (concat b u) (concat s v))" => "(and (= b s) (= u v))" }
    EqFpNan { "(= f (_ NaN 2 3))" => "(fp.isNaN f)" }
    EqFpFromBits { "(= ((_ to_fp 2 3) w) (fp #b1 #b01 #b10))" => "(= w #b10110)" }
    EqStoreSelf { "(= (store a i b) a)" => "(= (select a i) b)" }
    EqStoreStore { "(= (store a i b) (store a i s))" => "(= b s)" }
    EqConstArrays {
        "(= ((as const (Array (_ BitVec 2) (_ BitVec 1))) b) ((as const (Array (_ BitVec 2) (_ BitVec 1))) s))"
            => "(= b s)"
    }

    // Bitwise operators.
    BvNotNot { "(bvnot (bvnot x))" => "x" }
    BvNotNeg { "(bvnot (bvneg x))" => "(bvadd x #b111)" }
    BvNotConcat { "(bvnot (concat b u))" => "(concat (bvnot b) (bvnot u))" }
    BvAndZero { "(bvand x #b000)" => "#b000" }
    BvAndOnes { "(bvand x #b111)" => "x" }
    BvAndSame { "(bvand x x)" => "x" }
    BvAndComplement { "(bvand x (bvnot x))" => "#b000" }
    BvAndAbsorb { "(bvand x (bvand x y))" => "(bvand x y)" }
    BvAndConflict { "(bvand x (bvand (bvnot x) y))" => "#b000" }
    BvAndAbsorbOr { "(bvand x (bvor x y))" => "x" }
    BvAndResolve { "(bvand x (bvor (bvnot x) y))" => "(bvand x y)" }
    BvAndConstants { "(bvand (bvand x #b101) c)" => "(bvand x (bvand #b101 c))" }
    BvAndMask {
        "(bvand x #b011)" => "(concat #b0 ((_ extract 1 0) x))"
        "(bvand x #b110)" => "(concat ((_ extract 2 1) x) #b0)"
        "(bvand x #b010)" => "(concat #b0 ((_ extract 1 1) x) #b0)"
        "(bvand x c)" => "(bvand c x)"
    }
    BvAndItes { "(bvand (ite p c #b000) (ite q c #b000))" => "(ite (and p q) c #b000)" }
    BvAndConcat {
        "(bvand (concat b u) (concat s v))" => "(concat (bvand b s) (bvand u v))"
        "(bvand (concat b u) c)" => "(concat (bvand b ((_ extract 2 2) c)) (bvand u ((_ extract 1 0) c)))"
        "(bvand (concat b u) #b101)" => "(concat b (bvand u #b01))"
    }
    BvXorZero { "(bvxor x #b000)" => "x" }
    BvXorOnes { "(bvxor x #b111)" => "(bvnot x)" }
    BvXorSame { "(bvxor x x)" => "#b000" }
    BvXorComplement { "(bvxor x (bvnot x))" => "#b111" }
    BvXorNot { "(bvxor (bvnot x) y)" => "(bvnot (bvxor x y))" }
    BvXorCancel { "(bvxor x (bvxor x y))" => "y" "(bvxor (bvxor y x) x)" => "y" }
    BvXorConstants { "(bvxor (bvxor x c) d)" => "(bvxor x (bvxor c d))" }
    BvXorConcat { "(bvxor (concat b u) (concat s v))" => "(concat (bvxor b s) (bvxor u v))" }

    // Arithmetic.
    BvNegNeg { "(bvneg (bvneg x))" => "x" }
    BvNegNot { "(bvneg (bvnot x))" => "(bvadd x #b001)" }
    BvNegAddConstant { "(bvneg (bvadd x c))" => "(bvsub (bvneg x) c)" }
    BvNegMulConstant { "(bvneg (bvmul x c))" => "(bvmul x (bvneg c))" }
    BvAddBit { "(bvadd b s)" => "(bvxor b s)" }
    BvAddZero { "(bvadd x #b000)" => "x" }
    BvAddConstants { "(bvadd (bvadd x c) d)" => "(bvadd x (bvadd c d))" }
    BvAddNotConstant { "(bvadd (bvnot x) c)" => "(bvadd (bvneg x) (bvsub c #b001))" }
    BvAddSame { "(bvadd x x)" => "(bvmul x #b010)" }
    BvAddComplement { "(bvadd x (bvnot x))" => "#b111" }
    BvAddNegated { "(bvadd x (bvneg x))" => "#b000" "(bvsub x x)" => "#b000" }
    BvAddCancel { "(bvadd (bvadd x y) (bvneg y))" => "x" "(bvadd (bvsub x y) y)" => "x" }
    BvAddDivided {
        "(bvadd (bvmul (bvudiv x y) y) (bvurem x y))" => "x"
        "(bvsub x (bvmul (bvudiv x y) y))" => "(bvurem x y)"
    }
    BvAddConstantLast { "(bvadd (bvadd x c) y)" => "(bvadd (bvadd x y) c)" }
    BvAddNegNeg { "(bvadd (bvneg x) (bvneg y))" => "(bvneg (bvadd x y))" }
    BvAddConcatLowZero {
        "(bvadd (concat b #b00) (concat #b0 u))" => "(concat b u)"
        "(bvadd (concat u #b0) c)" => "(concat (bvadd u ((_ extract 2 1) c)) ((_ extract 0 0) c))"
    }
    BvMulBit { "(bvmul b s)" => "(bvand b s)" }
    BvMulZero { "(bvmul x #b000)" => "#b000" }
    BvMulOne { "(bvmul x #b001)" => "x" }
    BvMulMinusOne { "(bvmul x #b111)" => "(bvneg x)" }
    BvMulPowerOfTwo {
        "(bvmul x #b010)" => "(concat ((_ extract 1 0) x) #b0)"
        "(bvmul x c)" => "(bvmul c x)"
    }
    BvMulConstants { "(bvmul (bvmul x c) d)" => "(bvmul x (bvmul c d))" }
    BvMulNegConstant { "(bvmul (bvneg x) c)" => "(bvmul x (bvneg c))" }
    BvMulNegNeg { "(bvmul (bvneg x) (bvneg y))" => "(bvmul x y)" }
    BvMulNeg { "(bvmul (bvneg x) y)" => "(bvneg (bvmul x y))" }
    UdivZero { "(bvudiv x #b000)" => "#b111" }
    UdivOne { "(bvudiv x #b001)" => "x" }
    UdivPowerOfTwo { "(bvudiv x #b010)" => "(concat #b0 ((_ extract 2 1) x))" "(bvudiv x c)" => "(bvudiv x c)" }
    UdivBelow { "(bvudiv (bvurem x #b011) #b101)" => "#b000" "(bvudiv (bvudiv x c) d)" => "(bvudiv (bvudiv x c) d)" }
    UdivSame { "(bvudiv x x)" => "(ite (= x #b000) #b111 #b001)" }
    ZeroUdiv { "(bvudiv #b000 x)" => "(ite (= x #b000) #b111 #b000)" }
    UremZero { "(bvurem x #b000)" => "x" }
    UremOne { "(bvurem x #b001)" => "#b000" }
    UremPowerOfTwo { "(bvurem x #b010)" => "(concat #b00 ((_ extract 0 0) x))" "(bvurem x c)" => "(bvurem x c)" }
    UremBelow { "(bvurem (bvurem x #b011) #b101)" => "(bvurem x #b011)" "(bvurem (bvudiv x c) d)" => "(bvurem (bvudiv x c) d)" }
    UremSame { "(bvurem x x)" => "#b000" }
    ZeroUrem { "(bvurem #b000 x)" => "#b000" }

    // Shifts.
    ShiftZero { "(bvshl #b000 x)" => "#b000" "(bvlshr #b000 x)" => "#b000" "(bvashr #b000 x)" => "#b000" }
    AshrOnes { "(bvashr #b111 x)" => "#b111" }
    ShiftByZero { "(bvshl x #b000)" => "x" "(bvlshr x #b000)" => "x" "(bvashr x #b000)" => "x" }
    ShiftAllOut { "(bvshl x #b011)" => "#b000" "(bvlshr x #b101)" => "#b000" }
    ShlConstant { "(bvshl x #b001)" => "(concat ((_ extract 1 0) x) #b0)" "(bvshl x c)" => "(bvshl x c)" }
    LshrConstant { "(bvlshr x #b001)" => "(concat #b0 ((_ extract 2 1) x))" "(bvlshr x c)" => "(bvlshr x c)" }
    AshrConstant { "(bvashr x #b001)" => "((_ sign_extend 1) ((_ extract 2 1) x))" "(bvashr x c)" => "(bvashr x c)" }

    // Moving bits.
    ConcatConstantsLeft { "(concat k (concat l x))" => "(concat (concat k l) x)" }
    ConcatConstantsRight { "(concat (concat x k) l)" => "(concat x (concat k l))" }
    ConcatExtracts { "(concat ((_ extract 2 1) x) ((_ extract 0 0) x))" => "x" }
    ConcatExtractsLeft {
        "(concat ((_ extract 2 2) x) (concat ((_ extract 1 1) x) y))" => "(concat ((_ extract 2 1) x) y)"
    }
    ConcatExtractsRight {
        "(concat (concat y ((_ extract 2 2) x)) ((_ extract 1 1) x))" => "(concat y ((_ extract 2 1) x))"
    }
    SignExtendNothing { "((_ sign_extend 0) x)" => "x" }
    SignExtendTwice { "((_ sign_extend 1) ((_ sign_extend 2) x))" => "((_ sign_extend 3) x)" }
    SignExtendConcat { "((_ sign_extend 2) (concat k x))" => "(concat ((_ sign_extend 2) k) x)" }
    ExtractWhole { "((_ extract 2 0) x)" => "x" }
    ExtractExtract { "((_ extract 1 1) ((_ extract 2 1) x))" => "((_ extract 2 2) x)" }
    ExtractConcatHigh { "((_ extract 4 3) (concat u x))" => "u" "((_ extract 4 4) (concat u x))" => "((_ extract 1 1) u)" }
    ExtractConcatLow { "((_ extract 1 0) (concat u x))" => "((_ extract 1 0) x)" }
    ExtractConcatBoth { "((_ extract 3 2) (concat u x))" => "(concat ((_ extract 0 0) u) ((_ extract 2 2) x))" }
    ExtractSignExtendLow { "((_ extract 1 0) ((_ sign_extend 2) x))" => "((_ extract 1 0) x)" }
    ExtractSignExtendHigh {
        "((_ extract 4 1) ((_ sign_extend 2) x))" => "((_ sign_extend 2) ((_ extract 2 1) x))"
        "((_ extract 4 3) ((_ sign_extend 2) x))" => "((_ sign_extend 1) ((_ extract 2 2) x))"
        "((_ extract 3 2) ((_ sign_extend 2) x))" => "((_ sign_extend 1) ((_ extract 2 2) x))"
    }
    ExtractNot { "((_ extract 2 1) (bvnot x))" => "(bvnot ((_ extract 2 1) x))" }
    ExtractBitwise {
        "((_ extract 2 1) (bvand x y))" => "(bvand ((_ extract 2 1) x) ((_ extract 2 1) y))"
        "((_ extract 2 1) (bvxor x y))" => "(bvxor ((_ extract 2 1) x) ((_ extract 2 1) y))"
    }
    ExtractLowArithmetic {
        "((_ extract 1 0) (bvadd x y))" => "(bvadd ((_ extract 1 0) x) ((_ extract 1 0) y))"
        "((_ extract 1 0) (bvmul x y))" => "(bvmul ((_ extract 1 0) x) ((_ extract 1 0) y))"
    }
    ExtractAboveBound {
        "((_ extract 2 2) (bvurem x #b011))" => "#b0"
        "((_ extract 2 1) (bvudiv x c))" => "((_ extract 2 1) (bvudiv x c))"
    }
    ExtractLowNeg { "((_ extract 1 0) (bvneg x))" => "(bvneg ((_ extract 1 0) x))" }

    // Order and overflow.
    UltSame { "(bvult x x)" => "false" }
    UltZero { "(bvult x #b000)" => "false" }
    UltOne { "(bvult x #b001)" => "(= x #b000)" }
    UltOnes { "(bvult x #b111)" => "(not (= x #b111))" }
    OnesUlt { "(bvult #b111 x)" => "false" }
    ZeroUlt { "(bvult #b000 x)" => "(not (= x #b000))" }
    AlmostOnesUlt { "(bvult #b110 x)" => "(= x #b111)" }
    UltBelowBound {
        "(bvult (bvurem x #b011) #b011)" => "true"
        "(bvult (bvurem x c) d)" => "(bvult (bvurem x c) d)"
        "(bvult (bvudiv x c) d)" => "(bvult (bvudiv x c) d)"
        "(bvult (bvand x c) d)" => "(bvult (bvand c x) d)"
        "(bvult (concat k x) (concat l #b000))" => "(bvult k l)"
    }
    UltAboveBound {
        "(bvult #b010 (bvurem x #b011))" => "false"
        "(bvult d (bvurem x c))" => "(bvult d (bvurem x c))"
        "(bvult d (bvudiv x c))" => "(bvult d (bvudiv x c))"
    }
    UltUrem { "(bvult (bvurem x y) y)" => "(not (= y #b000))" "(bvult x (bvurem x y))" => "false" }
    UltUdiv { "(bvult x (bvudiv x y))" => "(and (= y #b000) (not (= x #b111)))" }
    UltNotNot { "(bvult (bvnot x) (bvnot y))" => "(bvult y x)" }
    UltNotConstant { "(bvult (bvnot x) c)" => "(bvult (bvnot c) x)" }
    UltConstantNot { "(bvult c (bvnot x))" => "(bvult x (bvnot c))" }
    UltSignExtend { "(bvult ((_ sign_extend 1) u) ((_ sign_extend 1) v))" => "(bvult u v)" }
    UltConcatSameHigh { "(bvult (concat b u) (concat b v))" => "(bvult u v)" }
    UltConcatHighs {
        "(bvult (concat k x) (concat l y))" => "(or (bvult k l) (and (= k l) (bvult x y)))"
        "(bvult (concat #b1 u) c)" => "(and (bvult #b011 c) (bvult u ((_ extract 1 0) c)))"
    }
    UltConcatSameLow { "(bvult (concat b u) (concat s u))" => "(bvult b s)" }
    UltConcatLows { "(bvult (concat x k) (concat y l))" => "(ite (bvult k l) (bvule x y) (bvult x y))" }
    SltSame { "(bvslt x x)" => "false" }
    SltMin { "(bvslt x #b100)" => "false" }
    SltZero { "(bvslt x #b000)" => "(= ((_ extract 2 2) x) #b1)" }
    SltAlmostMin { "(bvslt x #b101)" => "(= x #b100)" }
    SltMax { "(bvslt x #b011)" => "(not (= x #b011))" }
    MaxSlt { "(bvslt #b011 x)" => "false" }
    MinusOneSlt { "(bvslt #b111 x)" => "(= ((_ extract 2 2) x) #b0)" }
    AlmostMaxSlt { "(bvslt #b010 x)" => "(= x #b011)" }
    MinSlt { "(bvslt #b100 x)" => "(not (= x #b100))" }
    SltSignExtend { "(bvslt ((_ sign_extend 1) u) ((_ sign_extend 1) v))" => "(bvslt u v)" }
    SltSignExtendConstant { "(bvslt ((_ sign_extend 3) u) ((_ sign_extend 2) c))" => "(bvslt ((_ sign_extend 1) u) c)" }
    SltConstantSignExtend { "(bvslt ((_ sign_extend 2) c) ((_ sign_extend 3) u))" => "(bvslt c ((_ sign_extend 1) u))" }
    SltSameSigns {
        "(bvslt (concat #b0 u) (concat #b0 v))" => "(bvult u v)"
        "(bvslt (concat #b1 u) (concat #b1 v))" => "(bvult u v)"
        "(bvslt (bvurem x #b011) (concat #b0 u))" => "(bvult (bvurem x #b011) (concat #b0 u))"
    }
    SltDifferentSigns { "(bvslt (concat #b1 u) (concat #b0 v))" => "true" "(bvslt (concat #b0 u) (concat #b1 v))" => "false" }
    UmuloNarrow { "(bvumulo (concat #b00 b) (concat #b0 u))" => "false" "(bvumulo (concat #b000 u) ((_ zero_extend 2) c))" => "false" }
    UmuloOne { "(bvumulo x #b001)" => "false" }
    UmuloPowerOfTwo { "(bvumulo x #b010)" => "(= ((_ extract 2 2) x) #b1)" "(bvumulo x c)" => "(bvumulo c x)" }
    SmuloNarrow {
        "(bvsmulo ((_ sign_extend 2) u) ((_ sign_extend 2) v))" => "false"
        "(bvsmulo ((_ sign_extend 2) u) (concat #b000 b))" => "false"
    }
    SmuloTrivial { "(bvsmulo x #b000)" => "false" "(bvsmulo x #b001)" => "false" }
    SmuloMinusOne { "(bvsmulo x #b111)" => "(= x #b100)" "(bvsmulo b #b1)" => "(= b #b1)" }

    // Arrays.
    SelectConstArray { "(select ((as const (Array (_ BitVec 2) (_ BitVec 1))) b) i)" => "b" }
    SelectStoreSame { "(select (store a i b) i)" => "b" }
    SelectStoreOther {
        "(select (store a k b) l)" => "(ite (= k l) b (select a l))"
        "(select (store a (bvadd i #b01) b) (bvadd i #b10))" => "(select a (bvadd i #b10))"
        "(select (store a (bvadd i #b01) b) i)" => "(select a i)"
        "(select (store a (concat b #b0) b) (concat s #b1))" => "(select a (concat s #b1))"
        "(select (store a (concat b s) b) (concat (bvadd b #b1) s))" => "(select a (concat (bvnot b) s))"
        "(select (store (store a #b10 s) #b01 b) #b00)" => "(select a #b00)"
    }
    StoreSelect { "(store a i (select a i))" => "a" }
    StoreConstArray {
        "(store ((as const (Array (_ BitVec 2) (_ BitVec 1))) b) i b)"
            => "((as const (Array (_ BitVec 2) (_ BitVec 1))) b)"
    }
    StoreStoreSame { "(store (store a i b) i s)" => "(store a i s)" }

    // Floats.
    FpNegNeg { "(fp.neg (fp.neg f))" => "f" }
    FpAbsAbs { "(fp.abs (fp.abs f))" => "(fp.abs f)" }
    FpAbsNeg { "(fp.abs (fp.neg f))" => "(fp.abs f)" }
    FpFromToBits { "((_ to_fp 2 3) (fp.to_ieee_bv f))" => "f" }
    FpConvertSame { "((_ to_fp 2 3) m f)" => "f" }
    FpConvertBack { "((_ to_fp 2 3) m ((_ to_fp 3 4) m f))" => "f" }
    FpToSbvBack {
        "((_ fp.to_sbv 3) m ((_ to_fp 3 3) m x))" => "x"
        "((_ fp.to_sbv 5) m ((_ to_fp 3 2) m x))" => "((_ sign_extend 2) x)"
    }
    FpToUbvBack {
        "((_ fp.to_ubv 3) m ((_ to_fp_unsigned 3 3) m x))" => "x"
        "((_ fp.to_ubv 4) m ((_ to_fp_unsigned 3 2) m u))" => "((_ zero_extend 2) u)"
    }
    FpMulOne { "(fp.mul m f (fp #b0 #b01 #b00))" => "f" }
    FpDivOne { "(fp.div m f (fp #b0 #b01 #b00))" => "f" }
    FpAddNan { "(fp.add m f (_ NaN 2 3))" => "(_ NaN 2 3)" }
    FpAddMinusZero { "(fp.add RNE f (_ -zero 2 3))" => "f" "(fp.add RTP f (_ -zero 2 3))" => "f" }
    FpMinSame { "(fp.min f f)" => "f" }
    FpMaxSame { "(fp.max f f)" => "f" }
    FpOrderNan {
        "(fp.lt f (_ NaN 2 3))" => "false"
        "(fp.leq (_ NaN 2 3) f)" => "false"
        "(fp.eq f (_ NaN 2 3))" => "false"
    }
    FpLtSame { "(fp.lt f f)" => "false" }
    FpEqSame { "(fp.eq f f)" => "(not (fp.isNaN f))" "(fp.leq f f)" => "(not (fp.isNaN f))" }
    FpOrderNegNeg { "(fp.lt (fp.neg f) (fp.neg g))" => "(fp.lt g f)" "(fp.leq (fp.neg f) (fp.neg g))" => "(fp.leq g f)" }
    FpOrderWiden {
        "(fp.lt ((_ to_fp 3 4) m f) ((_ to_fp 3 4) m g))" => "(fp.lt f g)"
        "(fp.eq ((_ to_fp 2 4) m f) ((_ to_fp 2 4) m g))" => "(fp.eq f g)"
    }
    FpNegativeNeg { "(fp.isNegative (fp.neg f))" => "(fp.isPositive f)" }
    FpNegativeAbs { "(fp.isNegative (fp.abs f))" => "false" }
    FpClassOfSigned {
        "(fp.isNaN (fp.neg f))" => "(fp.isNaN f)"
        "(fp.isInfinite (fp.abs f))" => "(fp.isInfinite f)"
        "(fp.isZero (fp.neg f))" => "(fp.isZero f)"
        "(fp.isNormal (fp.abs f))" => "(fp.isNormal f)"
        "(fp.isSubnormal (fp.neg f))" => "(fp.isSubnormal f)"
    }
    FpNanOfInteger { "(fp.isNaN ((_ to_fp 2 3) m x))" => "false" "(fp.isNaN ((_ to_fp_unsigned 2 3) m x))" => "false" }
    FpNegativeOfUnsigned { "(fp.isNegative ((_ to_fp_unsigned 2 3) m x))" => "false" }
    FpClassOfWiden {
        "(fp.isInfinite ((_ to_fp 3 4) m f))" => "(fp.isInfinite f)"
        "(fp.isZero ((_ to_fp 2 5) m f))" => "(fp.isZero f)"
        "(fp.isNegative ((_ to_fp 4 3) m f))" => "(fp.isNegative f)"
    }
    FpNanOfConvert {
        "(fp.isNaN ((_ to_fp 2 2) m f))" => "(fp.isNaN f)"
        "(fp.isNaN (fp.roundToIntegral m f))" => "(fp.isNaN f)"
    }
}
