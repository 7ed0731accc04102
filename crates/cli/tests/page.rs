//! The page of `vergo check --html`, in a real browser if there is one.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::run;

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

/// What happens to the page after it is loaded; its answers are attributes of the body.
const VISITOR: &str = "
<script>
const answers = [];
const say = (name, value) => answers.push(name + '=' + value);
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
window.addEventListener('error', (event) => say('error', event.message));
const visible = () => [...document.querySelectorAll('main section')].filter((one) => !one.hidden).map((one) => one.id).join();
try {
  say('verdict', document.getElementById('verdict').textContent);
  say('begins', visible());
  say('steps', data.traces[0].length);
  const end = document.getElementById('at').textContent;
  press('Home');
  say('first', document.getElementById('step').textContent);
  for (let i = 0; i < 1000; i += 1) press('ArrowRight');
  say('end', document.getElementById('at').textContent === end);
  say('values', document.getElementById('values').textContent.includes('heap object 2'));
  say('arrows', document.querySelectorAll('#memory path[marker-end]').length > 1);
  press('ArrowLeft');
  say('before', document.getElementById('step').textContent);
  press('1');
  say('claims', visible());
  const count = () => document.getElementById('count').textContent;
  const words = document.getElementById('words');
  words.value = 'memory.null';
  words.dispatchEvent(new Event('input'));
  say('filtered', count());
  document.querySelector('[data-status=holds]').click();
  say('violated', count());
  press('2');
  say('lines', document.querySelectorAll('#code tr').length);
  say('margin', document.querySelector('#code td.violated').textContent);
  const ground = () => getComputedStyle(document.body).backgroundColor;
  const before = ground();
  press('d');
  say('dark', before !== ground());
} catch (error) { say('error', error.message); }
document.body.setAttribute('data-answers', answers.join(';'));
</script>
</body>";

#[test]
fn a_page_is_stepped_filtered_and_darkened_without_errors() {
    let folder = Scratch::new("page").unwrap();
    folder.write("list.c", LIST).unwrap();
    let finished = tool::vergo(folder.folder(), &["check", "--html", "page", "list.c"], b"");
    assert_eq!(finished.status.and_then(|status| status.code()), Some(10));
    let path = folder.path("page/index.html");
    let page = std::fs::read_to_string(&path).unwrap();
    let Some(browser) = browser() else {
        skip("page", "there is no chromium to look at the page with");
        return;
    };
    std::fs::write(&path, page.replace("</body>", VISITOR)).unwrap();
    let dom = dom(browser, &path);
    let answers = dom.split("data-answers=\"").nth(1).and_then(|rest| rest.split('"').next());
    let answers = answers.expect("the visitor has answered").replace("&gt;", ">");
    assert_eq!(
        answers.split(';').collect::<Vec<_>>(),
        [
            "verdict=false (memory.null)",
            "begins=trace",
            "steps=11",
            "first=main: push(NULL, 1)",
            "end=true",
            "values=true",
            "arrows=true",
            "before=main: last = NULL",
            "claims=claims",
            "filtered=5 of 23 claims",
            "violated=1 of 23 claims",
            "lines=15",
            "margin=✗",
            "dark=true",
        ]
    );
}

fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    })
}

fn dom(browser: &str, page: &Path) -> String {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=5000",
        "--dump-dom",
    ]);
    command.arg(format!("file://{}", page.display()));
    let finished = run(&mut command, b"", Duration::from_secs(60)).expect("the browser starts");
    finished.stdout_text()
}
