//! The server in the long run: random edits, after which it shows what a fresh start shows, with steady memory.

mod editor;

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

/// The position after some letters.
fn position(before: &[char]) -> Value {
    let line = before.iter().filter(|letter| **letter == '\n').count();
    let start = before.iter().rposition(|letter| *letter == '\n').map_or(0, |at| at + 1);
    let character: usize = before[start..].iter().map(|letter| letter.len_utf16()).sum();
    json!({ "line": line, "character": character })
}
