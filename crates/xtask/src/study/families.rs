//! Families of programs that grow with a number, each with a safe and an unsafe member of every size.

/// A family: its name, its sizes, and its program of a size, safe or not.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) sizes: &'static [u32],
    pub(crate) program: fn(u32, bool) -> String,
}

/// All families.
pub(crate) const FAMILIES: &[Family] = &[
    Family { name: "counter-modulo", sizes: &[4, 16, 64, 256, 1024], program: counter },
    Family { name: "two-phase", sizes: &[4, 16, 64, 256, 1024], program: two_phase },
    Family { name: "nested-loops", sizes: &[2, 4, 8, 16, 32], program: nested },
    Family { name: "lock-protocol", sizes: &[1, 2, 4, 8, 16], program: locks },
    Family { name: "event-condition-action", sizes: &[10, 30, 100, 250, 500], program: events },
];

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// Counts modulo n, so that it never gets beyond.
fn counter(n: u32, safe: bool) -> String {
    let end = if safe { 2 * n } else { n - 1 };
    format!(
        "{HEAD}int main(void) {{\n    unsigned x = 0;\n    while (__VERIFIER_nondet_int()) {{\n        x++;\n        \
         if (x == {n}) x = 0;\n        if (x == {end}) reach_error();\n    }}\n    return 0;\n}}\n"
    )
}

/// The second variable grows in the second half of the first one's way only.
fn two_phase(n: u32, safe: bool) -> String {
    let goal = if safe { "!=" } else { "==" };
    let full = 2 * n;
    format!(
        "{HEAD}int main(void) {{\n    unsigned x = 0, y = {n};\n    while (x < {full}) {{\n        \
         if (x >= {n}) y++;\n        x++;\n    }}\n    if (y {goal} {full}) reach_error();\n    return 0;\n}}\n"
    )
}

/// The inner loop keeps what the outer one needs.
fn nested(n: u32, safe: bool) -> String {
    let odd = if safe { 2 } else { 1 };
    format!(
        "{HEAD}int main(void) {{\n    unsigned i = 0, j, s = 0;\n    while (i < {n}) {{\n        j = 0;\n        \
         while (j < i) {{\n            s += {odd};\n            j++;\n        }}\n        \
         if (s % 2 == 1) reach_error();\n        i++;\n    }}\n    return 0;\n}}\n"
    )
}

/// Each of n locks is taken only if it is free, and so has one holder at most.
fn locks(n: u32, safe: bool) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n");
    for i in 0..n {
        text.push_str(&format!("    int lock{i} = 0, holders{i} = 0;\n"));
    }
    text.push_str("    while (1) {\n        int which = __VERIFIER_nondet_int();\n");
    for i in 0..n {
        let free = if safe || i + 1 < n { format!("lock{i} == 0") } else { "1".to_owned() };
        text.push_str(&format!(
            "        if (which == {i} && {free}) {{ lock{i} = 1; holders{i}++; if (holders{i} != 1) reach_error(); }}\n        \
             if (which == {} && lock{i} == 1) {{ lock{i} = 0; holders{i}--; }}\n",
            i + n
        ));
    }
    text.push_str("    }\n    return 0;\n}\n");
    text
}

/// Events lead from state to state, or back. In every tenth state an event arms the system, which is disarmed five states
/// later; to be armed in the last state would be an error.
fn events(n: u32, safe: bool) -> String {
    let mut text = format!(
        "{HEAD}int main(void) {{\n    int state = 1, armed = 0;\n    while (1) {{\n        int event = __VERIFIER_nondet_int();\n"
    );
    for state in 1..n {
        let event = state % 5 + 1;
        let jump = (state * 7 + 3) % n + 1;
        let disarm = if state % 10 == 5 { " armed = 0;" } else { "" };
        text.push_str(&format!(
            "        {}if (state == {state} && event == {event}) {{ state = {};{disarm} }}\n        \
             else if (state == {state} && event == {}) {{ state = {jump}; armed = 0; }}\n",
            if state == 1 { "" } else { "else " },
            state + 1,
            event + 1
        ));
        if state % 10 == 0 {
            text.push_str(&format!(
                "        else if (state == {state} && event == 7) {{ state = {}; armed = 1; }}\n",
                state + 1
            ));
        }
    }
    let armed = if safe { "armed" } else { "!armed" };
    text.push_str(&format!(
        "        else if (state == {n} && {armed}) reach_error();\n    }}\n    return 0;\n}}\n"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::FAMILIES;

    #[test]
    fn twins_differ() {
        for family in FAMILIES {
            for &size in family.sizes {
                assert_ne!(
                    (family.program)(size, true),
                    (family.program)(size, false),
                    "{}",
                    family.name
                );
            }
        }
    }
}
