//! Words against the host's integers, exhaustively where small, and wide words against narrow ones.

use proptest::prelude::*;
use vergo_num::{BitVec, Natural};

/// The signed reading of `value` in `width` bits.
fn signed(width: u32, value: u128) -> i128 {
    BitVec::from_u128(width, value).to_i128().expect("narrow words fit")
}

/// Every operation on every pair of words up to five bits, against 128-bit host arithmetic.
#[test]
fn operations_agree_with_the_host_exhaustively() {
    for width in 1..=5u32 {
        let modulus = 1i128 << width;
        let half = modulus / 2;
        let word = |v: i128| BitVec::from_i128(width, v);
        for a in 0..modulus {
            let x = word(a);
            let sa = signed(width, a as u128);
            assert_eq!(x.to_u64(), Some(a as u64));
            assert_eq!(x.to_i64(), Some(sa as i64));
            assert_eq!(x.not(), word(modulus - 1 - a));
            assert_eq!(x.neg(), word(-a));
            assert_eq!(x.neg_overflow(), sa == -half);
            assert_eq!(x.sign_bit(), sa < 0);
            assert_eq!(x.count_ones(), (a as u64).count_ones());
            assert_eq!(x.leading_zeros(), (a as u64).leading_zeros() - (64 - width));
            assert_eq!(x.trailing_zeros(), (a as u64).trailing_zeros().min(width));
            assert_eq!(x.to_unsigned_decimal(), a.to_string());
            assert_eq!(x.to_signed_decimal(), sa.to_string());
            assert_eq!(BitVec::parse_decimal(width, &sa.to_string()), Some(x.clone()));
            assert_eq!(BitVec::parse_binary(width, &x.to_binary()), Some(x.clone()));
            assert_eq!(BitVec::parse_hex(width, &x.to_hex()), Some(x.clone()));
            for n in 0..=2 * width {
                let rotated = (0..width).map(|i| i128::from(x.bit(i)) << ((i + n) % width)).sum();
                assert_eq!(x.rotate_left(n), word(rotated));
                assert_eq!(x.rotate_left(n).rotate_right(n), x);
            }
            for high in 0..width {
                for low in 0..=high {
                    let bits = a >> low & ((1 << (high - low + 1)) - 1);
                    assert_eq!(x.extract(high, low), BitVec::from_i128(high - low + 1, bits));
                }
            }
            for b in 0..modulus {
                let y = word(b);
                let sb = signed(width, b as u128);
                assert_eq!(x.add(&y), word(a + b));
                assert_eq!(x.sub(&y), word(a - b));
                assert_eq!(x.mul(&y), word(a * b));
                assert_eq!(x.and(&y), word(a & b));
                assert_eq!(x.or(&y), word(a | b));
                assert_eq!(x.xor(&y), word(a ^ b));
                assert_eq!(x.udiv(&y), word(if b == 0 { -1 } else { a / b }));
                assert_eq!(x.urem(&y), word(if b == 0 { a } else { a % b }));
                let by_zero = if sa < 0 { 1 } else { -1 };
                assert_eq!(x.sdiv(&y), word(if sb == 0 { by_zero } else { sa / sb }));
                assert_eq!(x.srem(&y), word(if sb == 0 { sa } else { sa % sb }));
                let floor = if sb == 0 { sa } else { (sa % sb + sb) % sb };
                assert_eq!(x.smod(&y), word(floor), "{x} smod {y}");
                let clipped = b.min(64);
                assert_eq!(x.shl(&y), word(a << clipped));
                assert_eq!(x.lshr(&y), word(a >> clipped));
                assert_eq!(x.ashr(&y), word(sa >> clipped));
                assert_eq!((x.ult(&y), x.ule(&y)), (a < b, a <= b));
                assert_eq!((x.slt(&y), x.sle(&y)), (sa < sb, sa <= sb));
                assert_eq!(x.concat(&y), BitVec::from_i128(2 * width, a << width | b));
                let fits = |v: i128| (-half..half).contains(&v);
                assert_eq!(x.uadd_overflow(&y), a + b >= modulus);
                assert_eq!(x.sadd_overflow(&y), !fits(sa + sb));
                assert_eq!(x.usub_overflow(&y), a < b);
                assert_eq!(x.ssub_overflow(&y), !fits(sa - sb));
                assert_eq!(x.umul_overflow(&y), a * b >= modulus);
                assert_eq!(x.smul_overflow(&y), !fits(sa * sb));
                assert_eq!(x.sdiv_overflow(&y), sb != 0 && !fits(sa / sb));
            }
        }
    }
}

fn limbs() -> impl Strategy<Value = Vec<u64>> {
    let limb = prop_oneof![Just(0), Just(u64::MAX), Just(1), Just(1 << 63), any::<u64>()];
    proptest::collection::vec(limb, 0..6)
}

fn word() -> impl Strategy<Value = BitVec> {
    (1..=330u32, limbs()).prop_map(|(width, limbs)| BitVec::from_limbs(width, limbs))
}

fn word_pair() -> impl Strategy<Value = (BitVec, BitVec)> {
    (1..=330u32, limbs(), limbs())
        .prop_map(|(width, a, b)| (BitVec::from_limbs(width, a), BitVec::from_limbs(width, b)))
}

proptest! {
    /// An operation on extended operands, cut back, is the operation itself; the wide one takes the
    /// path of boxed limbs.
    #[test]
    fn wide_and_narrow_words_agree((x, y) in word_pair()) {
        let width = x.width();
        let wide = 2 * width.max(129);
        let (zx, zy) = (x.zero_extend(wide), y.zero_extend(wide));
        let (sx, sy) = (x.sign_extend(wide), y.sign_extend(wide));
        prop_assert_eq!(x.add(&y), zx.add(&zy).truncate(width));
        prop_assert_eq!(x.sub(&y), sx.sub(&zy).truncate(width));
        prop_assert_eq!(x.mul(&y), sx.mul(&zy).truncate(width));
        prop_assert_eq!(x.neg(), zx.neg().truncate(width));
        prop_assert_eq!(x.not(), zx.not().truncate(width));
        prop_assert_eq!(x.and(&y), zx.and(&sy).truncate(width));
        prop_assert_eq!(x.or(&y), zx.or(&sy).truncate(width));
        prop_assert_eq!(x.xor(&y), zx.xor(&sy).truncate(width));
        prop_assert_eq!(x.udiv(&y), zx.udiv(&zy).truncate(width));
        prop_assert_eq!(x.urem(&y), zx.urem(&zy).truncate(width));
        prop_assert_eq!(x.sdiv(&y), sx.sdiv(&sy).truncate(width));
        prop_assert_eq!(x.srem(&y), sx.srem(&sy).truncate(width));
        prop_assert_eq!(x.smod(&y), sx.smod(&sy).truncate(width));
        prop_assert_eq!(x.ult(&y), zx.ult(&zy));
        prop_assert_eq!(x.slt(&y), sx.slt(&sy));
        prop_assert_eq!(x.lshr(&y), zx.lshr(&zy).truncate(width));
        prop_assert_eq!(x.ashr(&y), sx.ashr(&zy).truncate(width));
        prop_assert_eq!(x.shl(&y), zx.shl(&zy).truncate(width));
        let fits_signed = |w: &BitVec| w.truncate(width).sign_extend(wide) == *w;
        let fits_unsigned = |w: &BitVec| w.truncate(width).zero_extend(wide) == *w;
        prop_assert_eq!(x.sadd_overflow(&y), !fits_signed(&sx.add(&sy)));
        prop_assert_eq!(x.ssub_overflow(&y), !fits_signed(&sx.sub(&sy)));
        prop_assert_eq!(x.smul_overflow(&y), !fits_signed(&sx.mul(&sy)));
        prop_assert_eq!(x.uadd_overflow(&y), !fits_unsigned(&zx.add(&zy)));
        prop_assert_eq!(x.umul_overflow(&y), !fits_unsigned(&zx.mul(&zy)));
    }

    /// Division undoes multiplication, at every size.
    #[test]
    fn division_laws(a in limbs(), b in limbs()) {
        let (a, b) = (Natural::from_limbs(a), Natural::from_limbs(b));
        if !b.is_zero() {
            let (quotient, remainder) = a.div_rem(&b);
            prop_assert!(remainder < b);
            prop_assert_eq!(quotient.mul(&b).add(&remainder), a.clone());
        }
        let (root, inexact) = a.sqrt();
        let next = root.add(&Natural::from(1u64));
        prop_assert!(root.mul(&root) <= a && next.mul(&next) > a);
        prop_assert_eq!(inexact, root.mul(&root) != a);
    }

    /// Text reads back.
    #[test]
    fn text_reads_back(x in word()) {
        let width = x.width();
        prop_assert_eq!(BitVec::parse_decimal(width, &x.to_unsigned_decimal()), Some(x.clone()));
        prop_assert_eq!(BitVec::parse_decimal(width, &x.to_signed_decimal()), Some(x.clone()));
        prop_assert_eq!(BitVec::parse_hex(width, &x.to_hex()), Some(x.clone()));
        prop_assert_eq!(BitVec::parse_binary(width, &x.to_binary()), Some(x.clone()));
        prop_assert_eq!(BitVec::from_le_bytes(width, &x.to_le_bytes()), x.clone());
    }

    /// Cutting a word in two and joining the parts gives the word.
    #[test]
    fn concat_undoes_extract(x in word(), cut in any::<u32>()) {
        let width = x.width();
        prop_assume!(width > 1);
        let cut = 1 + cut % (width - 1);
        let (high, low) = (x.extract(width - 1, cut), x.extract(cut - 1, 0));
        prop_assert_eq!(high.concat(&low), x.clone());
    }
}

#[test]
fn extremes_and_ill_formed_text() {
    assert_eq!(
        BitVec::min_signed(200).to_signed_decimal(),
        format!("-{}", Natural::power(2, 199).to_decimal())
    );
    assert_eq!(BitVec::ones(129).to_i64(), Some(-1));
    assert_eq!(BitVec::max_signed(129).to_i128(), None);
    assert!(BitVec::min_signed(1).is_ones());
    for text in ["", "-", "+", "1x", "256", "-129", "0x1", "１"] {
        assert_eq!(BitVec::parse_decimal(8, text), None, "{text}");
    }
    assert_eq!(BitVec::parse_decimal(8, "-128"), Some(BitVec::min_signed(8)));
    assert_eq!(BitVec::from_u64(8, 42).to_string(), "#x2a");
    assert_eq!(BitVec::from_u64(6, 42).to_string(), "#b101010");
}
