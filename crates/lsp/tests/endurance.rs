//! The server in the long run: random edits, after which it shows what a fresh start shows, with steady memory.

mod editor;

use std::time::{Duration, Instant};

use editor::{Editor, trusted};
use serde_json::{Value, json};
use vergo_testkit::Rng;
use vergo_testkit::host_c::Scratch;

/// The memory of this process in megabytes, where the system tells it.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes >> 10)
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "what was measured is worth knowing; it is shown with `--nocapture`"
)]
fn random_edits_end_where_a_fresh_start_does() {
    const BASE: &str = "struct s { int a; char *b; };\nstatic int f(struct s *p, int n)\n{\n    for (int i = 0; i < n; i++)\n\
        \x20       p->a += i;\n    return p->a ? n : -1; /* ä𝄞 */\n}\nint main(void) { struct s x = { 1, 0 }; return f(&x, 3); }\n";
    const PIECES: &[&str] = &[
        "",
        "int ",
        "{",
        "}",
        "(",
        ";",
        "x",
        "\n",
        "ä",
        "𝄞",
        "/*",
        "*/",
        "\"",
        "0x",
        "->a",
        "#define N 4\n",
        "N",
    ];
    let folder = Scratch::new("lsp-random").unwrap();
    let path = folder.write("random.c", BASE).unwrap();
    let mut editor = Editor::start(&trusted());
    let mut text = BASE.to_owned();
    editor.open(&path, &text);
    let mut rng = Rng::new(20);
    let n_edits = if vergo_testkit::environment::slow() { 10_000 } else { 600 };
    let mut early = None;
    for version in 2..n_edits + 2 {
        if version == n_edits / 4 {
            early = resident();
        }
        // From time to time the text becomes a program again, so that not everything is nonsense.
        if rng.one_in(40) {
            text = BASE.to_owned();
            editor.change(&path, version, json!([{ "text": text }]));
        } else {
            let letters: Vec<char> = text.chars().collect();
            let from = rng.below(letters.len() + 1);
            let to = (from + rng.below(4)).min(letters.len());
            let piece = *rng.choose(PIECES);
            let range =
                json!({ "start": position(&letters[..from]), "end": position(&letters[..to]) });
            editor.change(&path, version, json!([{ "range": range, "text": piece }]));
            text = letters[..from]
                .iter()
                .chain(&piece.chars().collect::<Vec<_>>())
                .chain(&letters[to..])
                .collect();
        }
        if version % 150 == 0 || version == n_edits + 1 {
            let shown = editor.diagnostics(&path, version);
            let mut fresh = Editor::start(&trusted());
            fresh.open(&path, &text);
            assert_eq!(shown, fresh.diagnostics(&path, 1), "after {version} edits:\n{text}");
            fresh.stop();
        }
    }
    editor.stop();
    if let (Some(early), Some(late)) = (early, resident()) {
        eprintln!("{n_edits} edits: {early} MB after a quarter, {late} MB at the end");
        // What an editor leaves open must not grow with every key.
        assert!(late < early + 64, "{early} MB after a quarter, {late} MB at the end");
    }
}

/// From a key to what is shown, on a file of two thousand lines.
#[test]
#[expect(
    clippy::print_stderr,
    reason = "the time is worth knowing; it is shown with `--nocapture`"
)]
fn a_key_is_answered_at_once() {
    const LINES: usize = 2000;
    let function = |i: usize| {
        format!(
            "static int f{i}(int *a, int n)\n{{\n    int sum = 0;\n    for (int i = 0; i < n; i++) {{\n        \
             sum += a[i] * {i};\n    }}\n    if (sum > {i})\n        return sum - {i};\n    return sum;\n}}\n"
        )
    };
    let functions: String = (0..LINES / 10).map(function).collect();
    let text = format!(
        "#include <stdio.h>\n{functions}int main(void) {{ int a[3] = {{ 1, 2, 3 }}; return f0(a, 3); }}\n"
    );
    assert!(text.lines().count() > LINES);
    let folder = Scratch::new("lsp-keys").unwrap();
    let path = folder.write("long.c", &text).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, &text);
    let unused: Vec<Value> = editor.diagnostics(&path, 1);
    let mut times = Vec::new();
    for version in 2..22 {
        // A name that is not declared comes and goes.
        let (from, to, piece) = if version % 2 == 0 { (4, 7, "sun") } else { (4, 7, "sum") };
        let at = |character: usize| json!({ "line": 1007, "character": character + 4 });
        let range = json!({ "start": at(from), "end": at(to) });
        let start = Instant::now();
        editor.change(&path, version, json!([{ "range": range, "text": piece }]));
        let shown = editor.diagnostics(&path, version);
        times.push(start.elapsed());
        assert_eq!(shown.len() > unused.len(), version % 2 == 0, "{shown:?}");
    }
    editor.stop();
    times.sort();
    let median = times[times.len() / 2];
    eprintln!("a key in {LINES} lines: {median:?}, at most {:?}", times[times.len() - 1]);
    // A tenth of a second with an optimised build on a quiet machine; others are given time.
    assert!(median < Duration::from_secs(2), "{median:?}");
}

/// The position after some letters.
fn position(before: &[char]) -> Value {
    let line = before.iter().filter(|letter| **letter == '\n').count();
    let start = before.iter().rposition(|letter| *letter == '\n').map_or(0, |at| at + 1);
    let character: usize = before[start..].iter().map(|letter| letter.len_utf16()).sum();
    json!({ "line": line, "character": character })
}
