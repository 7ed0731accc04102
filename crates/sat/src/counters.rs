//! Counters that add up.

/// Declares a struct of counters. Those of two computations together are their sum: of each field either the `sum` or the
/// `max`, as it is declared.
#[macro_export]
macro_rules! counters {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $how:ident $field:ident: $ty:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $name {
            $($(#[$doc])* pub $field: $ty,)*
        }

        impl std::ops::Add for $name {
            type Output = $name;

            fn add(self, other: $name) -> $name {
                $name { $($field: $crate::counters!(@$how self.$field, other.$field),)* }
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = $name>>(counters: I) -> $name {
                counters.fold($name::default(), |all, one| all + one)
            }
        }
    };
    (@sum $a:expr, $b:expr) => { $a + $b };
    (@max $a:expr, $b:expr) => { $a.max($b) };
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "counters are public, here they are only tested")]
mod tests {
    crate::counters! {
        pub struct Both {
            sum questions: u32,
            max length: u32,
        }
    }

    #[test]
    fn counters_add_up_field_by_field() {
        let all: Both =
            [Both { questions: 2, length: 5 }, Both { questions: 3, length: 4 }].into_iter().sum();
        assert_eq!(all, Both { questions: 5, length: 5 });
    }
}
