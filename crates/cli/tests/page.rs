//! The page of `vergo check --html`, in a real browser if there is one.

mod tool;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vergo_testkit::browser::Browser;
use vergo_testkit::environment::{skip, slow_or_skip};
use vergo_testkit::host_c::Scratch;

const LIST: &str = "
void *malloc(unsigned long);
struct node { struct node *next; int value; };
static struct node *push(struct node *rest, int value) {
    struct node *n = malloc(sizeof *n);
    n->next = rest;
    n->value = value;
    return n;
}
int main(void) {
    struct node *list = push(push(0, 1), 2);
    struct node *last = list->next->next;
    return last->value; /* </script> */
}
";

/// A folder with the page of a program, and a browser if there is one.
fn page(name: &str) -> (Scratch, PathBuf, Option<Browser>) {
    let folder = Scratch::new(name).unwrap();
    folder.write("list.c", LIST).unwrap();
    let finished = tool::vergo(folder.folder(), &["check", "--html", "page", "list.c"], b"");
    assert_eq!(finished.status.and_then(|status| status.code()), Some(10));
    let path = folder.path("page/index.html");
    let browser = Browser::start(&folder.path("profile"));
    if browser.is_none() {
        skip(name, "there is no chromium to look at the page with");
    }
    (folder, path, browser)
}

fn text(browser: &mut Browser, id: &str) -> String {
    let text = browser.evaluate(&format!("document.getElementById('{id}').textContent"));
    text.as_str().unwrap_or_default().to_owned()
}

/// The part of the page that is shown.
fn view(browser: &mut Browser) -> Value {
    browser.evaluate(
        "[...document.querySelectorAll('main section')].filter((one) => !one.hidden).map((one) => one.id).join()",
    )
}

fn nothing_went_wrong(browser: &Browser, page: &Path) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.requests(page), Vec::<String>::new());
}

#[test]
fn values_stand_at_their_variables_in_every_thread() {
    const PROGRAM: &str = "
#include <assert.h>
#include <pthread.h>
static int counter;
static void *add(void *of)
{
    int *mine = of;
    mine[1] = 7;
    counter += mine[0];
    return 0;
}
int main(void)
{
    int both[2] = { 1, 2 };
    pthread_t thread;
    pthread_create(&thread, 0, add, both);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
";
    let folder = Scratch::new("page-threads").unwrap();
    folder.write("threads.c", PROGRAM).unwrap();
    let arguments = ["check", "--violations", "first", "--html", "page", "threads.c"];
    let done = tool::vergo(folder.folder(), &arguments, b"");
    assert_eq!(done.code(), Some(10), "{}", done.stdout_text());
    let Some(mut browser) = Browser::start(&folder.path("profile")) else {
        return skip("page-threads", "there is no chromium to look at the page with");
    };
    let page = folder.path("page/index.html");
    browser.open(&page);
    browser.press("End");
    let rows = browser.evaluate(
        "[...document.querySelectorAll('#values tr')].map((row) => row.textContent).join()",
    );
    let rows = rows.as_str().unwrap_or_default();
    for row in ["thread 0: main", "both{1, 7}", "thread 1: add", "global", "counter1"] {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    assert!(text(&mut browser, "step").contains("assertion `counter == 2` fails"));
    nothing_went_wrong(&browser, &page);
}

#[test]
fn a_page_is_stepped_and_filtered_with_the_keyboard() {
    let (_folder, page, Some(mut browser)) = page("page") else { return };
    browser.open(&page);
    assert_eq!(text(&mut browser, "verdict"), "false (memory.null)");
    assert_eq!(view(&mut browser), json!("trace"));
    let end = text(&mut browser, "at");
    assert_eq!(end, "step 11 of 11");
    browser.press("Home");
    assert_eq!(text(&mut browser, "step"), "main: push(NULL, 1)");
    for _ in 0..20 {
        browser.press("ArrowRight");
    }
    assert_eq!(text(&mut browser, "at"), end);
    assert!(text(&mut browser, "values").contains("heap object 2"));
    let arrows = browser.evaluate("document.querySelectorAll('#memory path[marker-end]').length");
    assert!(arrows.as_u64() > Some(1), "{arrows}");
    // Structures are told by their members, and can be opened.
    let inner =
        "[...document.querySelectorAll('#memory .title')].map((one) => one.textContent).join()";
    let boxes = browser.evaluate(inner);
    assert!(boxes.as_str().unwrap_or_default().contains("heap object 1"), "{boxes}");
    browser.press("ArrowLeft");
    assert_eq!(text(&mut browser, "step"), "main: last = NULL");
    // The value that the step has written is marked.
    let changed = browser.evaluate("document.querySelector('#values tr.changed').textContent");
    assert_eq!(changed, json!("lastNULL"));

    browser.press("1");
    assert_eq!(view(&mut browser), json!("claims"));
    browser.press("/");
    for letter in "memory.null".chars() {
        browser.press(&letter.to_string());
    }
    assert_eq!(text(&mut browser, "count"), "5 of 23 claims");
    browser.evaluate("document.querySelector('[data-status=holds]').click()");
    assert_eq!(text(&mut browser, "count"), "1 of 23 claims");
    browser.press("Escape");
    browser.press("2");
    assert_eq!(view(&mut browser), json!("source"));
    assert_eq!(browser.evaluate("document.querySelectorAll('#code tr').length"), json!(15));
    let margin = browser.evaluate("document.querySelector('#code td.violated').textContent");
    assert_eq!(margin, json!("✗"));
    browser.press("4");
    assert!(text(&mut browser, "about").contains("LP64"));
    nothing_went_wrong(&browser, &page);
    // Links lead to parts and steps.
    browser.evaluate("location.hash = '#about'");
    assert_eq!(view(&mut browser), json!("about"));
    browser.evaluate("location.hash = '#trace/0/1'");
    assert_eq!(text(&mut browser, "at"), "step 1 of 11");
    browser.evaluate("location.hash = '#nonsense/9'");
    assert_eq!(view(&mut browser), json!("trace"));
    // Whoever has no pointer reaches everything with the tabulator.
    browser.open(&page);
    let mut reached = Vec::new();
    for _ in 0..8 {
        browser.press("Tab");
        reached.push(browser.evaluate("document.activeElement.textContent"));
    }
    for button in ["Claims", "Source", "Trace", "About this run", "Light or dark"] {
        assert!(reached.contains(&json!(button)), "{button}: {reached:?}");
    }
    nothing_went_wrong(&browser, &page);
}

#[test]
fn a_structure_is_as_new_as_what_was_written_through_a_pointer() {
    const PROGRAM: &str = "
struct both { int first, second; };
static void set(struct both *b, int x) {
    b->first = x;
    b->second = x + 1;
}
int main(void) {
    struct both b = { 0, 0 };
    int table[20] = { 0 };
    set(&b, 7);
    table[3] = b.first;
    return table[3] / (b.second - 8);
}
";
    let folder = Scratch::new("page-parts").unwrap();
    folder.write("parts.c", PROGRAM).unwrap();
    let done = tool::vergo(folder.folder(), &["check", "--html", "page", "parts.c"], b"");
    assert_eq!(done.code(), Some(10), "{}", done.stdout_text());
    let Some(mut browser) = Browser::start(&folder.path("profile")) else {
        return skip("page-parts", "there is no chromium to look at the page with");
    };
    let page = folder.path("page/index.html");
    browser.open(&page);
    let rows = |browser: &mut Browser| {
        let rows = browser.evaluate(
            "[...document.querySelectorAll('#values tr')].map((row) => row.textContent).join(';')",
        );
        rows.as_str().unwrap_or_default().to_owned()
    };
    // The parameter has the same name as what it points to.
    let shown = rows(&mut browser);
    assert!(shown.contains("b{.first = 7, .second = 8}"), "{shown}");
    // What is folded is opened by its button, and stays so.
    assert!(!shown.contains(";first7"), "{shown}");
    browser.evaluate("document.querySelector('#values button.fold').click()");
    let shown = rows(&mut browser);
    assert!(shown.contains("first7;second8"), "{shown}");
    browser.evaluate("document.getElementById('matters').click()");
    browser.press("ArrowLeft");
    let shown = rows(&mut browser);
    assert!(shown.contains("[3]7"), "{shown}");
    nothing_went_wrong(&browser, &page);
}

#[test]
fn a_page_is_dark_where_the_system_is_and_where_its_reader_wants_it() {
    const GROUND: &str = "getComputedStyle(document.body).backgroundColor";
    let (_folder, page, Some(mut browser)) = page("page-dark") else { return };
    browser.open(&page);
    browser.prefer("light");
    let light = browser.evaluate(GROUND);
    browser.prefer("dark");
    let dark = browser.evaluate(GROUND);
    assert_ne!(light, dark);
    browser.press("d");
    assert_eq!(browser.evaluate(GROUND), light);
    browser.press("d");
    assert_eq!(browser.evaluate(GROUND), dark);
    // Text can be read on both.
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        let colour = browser.evaluate("getComputedStyle(document.body).color");
        assert_ne!(colour, browser.evaluate(GROUND));
    }
    nothing_went_wrong(&browser, &page);
}

/// A page with as many claims and steps as are wanted: those of the program, again and again.
fn enlarged(page: &Path, n_claims: usize, n_steps: usize) -> PathBuf {
    const BEGIN: &str = "id=\"data\">";
    let text = std::fs::read_to_string(page).unwrap();
    let start = text.find(BEGIN).unwrap() + BEGIN.len();
    let end = start + text[start..].find("</script>").unwrap();
    let mut data: Value = serde_json::from_str(&text[start..end]).unwrap();
    let claims = data["report"]["claims"].as_array().unwrap().clone();
    let again = |i: usize| {
        let mut claim = claims[i % claims.len()].clone();
        claim["function"] = json!(format!("function_{}", i / 25));
        claim
    };
    data["report"]["claims"] = (0..n_claims).map(again).collect();
    let steps = data["traces"][0].as_array().unwrap().clone();
    let (last, others) = steps.split_last().unwrap();
    let many = (0..n_steps - 1).map(|i| others[i % others.len()].clone());
    data["traces"][0] = many.chain([last.clone()]).collect();
    let large = page.with_file_name("large.html");
    let data = data.to_string().replace('<', "\\u003c");
    std::fs::write(&large, [&text[..start], &data, &text[end..]].concat()).unwrap();
    large
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "the times are worth knowing; they are shown with `--nocapture`"
)]
fn ten_thousand_claims_and_a_hundred_thousand_steps_stay_usable() {
    // A page of this size takes minutes on a machine that is busy with other tests.
    if !slow_or_skip("ten_thousand_claims_and_a_hundred_thousand_steps_stay_usable") {
        return;
    }
    let (_folder, page, Some(mut browser)) = page("page-large") else { return };
    let large = enlarged(&page, 10_000, 100_000);
    // A browser that has just been started is slow at first.
    browser.open(&page);
    let loaded = browser.open(&large);
    assert_eq!(text(&mut browser, "at"), "step 100000 of 100000");
    let start = Instant::now();
    for _ in 0..20 {
        browser.press("ArrowLeft");
    }
    let back = start.elapsed() / 20;
    let start = Instant::now();
    browser.press("Home");
    browser.press("End");
    let far = start.elapsed() / 2;
    browser.press("1");
    let start = Instant::now();
    browser.press("/");
    browser.press("n");
    let filtered = start.elapsed() / 2;
    assert!(text(&mut browser, "count").ends_with("of 10000 claims"));
    eprintln!(
        "10,000 claims and 100,000 steps: loaded in {loaded:?}, a step {back:?}, to an end {far:?}, a letter of a filter {filtered:?}"
    );
    // Two seconds on a quiet machine; one under load is given time.
    assert!(loaded < Duration::from_secs(10), "{loaded:?}");
    assert!(back < Duration::from_secs(1) && far < Duration::from_secs(2), "{back:?} {far:?}");
    nothing_went_wrong(&browser, &large);
}
