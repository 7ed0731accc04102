//! Damaged inputs: whatever the bytes, an answer.

use crate::parsed;
use std::time::{Duration, Instant};
use vergo_cfront::dump;
use vergo_source::Renderer;
use vergo_testkit::environment;
use vergo_testkit::mutate::Mutator;

/// A program that uses nearly everything.
const EVERYTHING: &str = include_str!("everything.c");

#[test]
fn everything_is_understood() {
    let parsed = parsed(EVERYTHING.as_bytes());
    assert!(!parsed.diags.has_errors(), "{}", parsed.messages());
}

fn answer(text: &[u8]) {
    let start = Instant::now();
    let parsed = parsed(text);
    // The answer is a tree or messages that can be shown, all with a place.
    let tree = dump::ast(&parsed.ast, &parsed.sources);
    assert!(tree.len() < 2000 * (text.len() + 100), "{:.200}", text.escape_ascii().to_string());
    for diagnostic in parsed.diags.iter().take(5) {
        let text = Renderer::plain().render(&parsed.sources, diagnostic);
        assert!(!diagnostic.primary.is_dummy() && !text.is_empty());
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:.200}", text.escape_ascii().to_string());
}

#[test]
fn mutations() {
    let n = if environment::slow() { 200_000 } else { 3_000 };
    let functions: Vec<&str> = EVERYTHING.split("\n\n").collect();
    let mut seeds: Vec<&[u8]> = functions.iter().map(|text| text.as_bytes()).collect();
    seeds.push(EVERYTHING.as_bytes());
    let mut mutator = Mutator::new(20);
    for _ in 0..n {
        let text = mutator.next(&seeds);
        answer(&text);
    }
}

#[test]
fn truncations() {
    let text = EVERYTHING.as_bytes();
    let step = if environment::slow() { 1 } else { 7 };
    for end in (0..text.len()).step_by(step) {
        answer(&text[..end]);
    }
}

#[test]
fn deletions_of_single_tokens() {
    let words: Vec<&str> = EVERYTHING.split_inclusive(' ').collect();
    let step = if environment::slow() { 1 } else { 5 };
    for skipped in (0..words.len()).step_by(step) {
        let text: String = words
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != skipped)
            .map(|(_, word)| *word)
            .collect();
        answer(text.as_bytes());
    }
}
