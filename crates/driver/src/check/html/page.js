"use strict";
// The page of a report. Everything it shows comes from the data that stands in it; it fetches nothing.
const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;
for (const steps of data.traces) for (const step of steps) step.location = data.places[step.at];
const $ = (id) => document.getElementById(id);
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};
const place = (location) => (location ? `${location.file}:${location.line}:${location.column}` : "whole program");
const STATUSES = ["violated", "unknown", "not checked", "holds"];
const MARKS = { violated: "✗", unknown: "?", "not checked": "·", holds: "✓" };
// What is violated is so in the user's own code, and is told with its values.
for (const claim of report.claims) {
  const one = report.counterexamples[claim.counterexample];
  if (one) Object.assign(claim, { description: one.message, library: false });
}
const word = (status) => (status === "holds" ? "safe" : status);
const css = (status) => status.replace(" ", "-");

// Which part is shown.
const VIEWS = ["claims", "source", "trace", "about"];
function show(view) {
  for (const name of VIEWS) $(name).hidden = name !== view;
  for (const button of document.querySelectorAll("nav button")) {
    button.setAttribute("aria-pressed", button.dataset.view === view);
  }
  if (view === "trace") trace.draw();
}
for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => show(button.dataset.view));
}

// Light or dark: as the system says, until a reader says otherwise.
$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

// The verdict.
{
  const { result, property, reason } = report.verdict;
  const detail = property || reason;
  $("verdict").textContent = detail ? `${result} (${detail})` : result;
  $("verdict").className = result;
}

// Claims by file and function. Rows of a group are made when it is opened, so that many thousands stay quick.
const claims = {
  shown: new Set(STATUSES),
  start() {
    for (const status of STATUSES) {
      const n = report.claims.filter((claim) => claim.status === status).length;
      if (n === 0) continue;
      const box = make("input", { type: "checkbox", checked: "", "data-status": status });
      box.addEventListener("change", () => {
        if (box.checked) this.shown.add(status);
        else this.shown.delete(status);
        this.draw();
      });
      $("statuses").append(make("label", { class: css(status) }, box, ` ${n} ${word(status)} `));
    }
    $("words").addEventListener("input", () => this.draw());
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    this.draw();
  },
  wanted() {
    const words = $("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    return report.claims.filter((claim) => {
      if (!this.shown.has(claim.status)) return false;
      if (words.length === 0) return true;
      const text = `${claim.property} ${claim.description} ${claim.function} ${place(claim.location)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  },
  draw() {
    const wanted = this.wanted();
    $("count").textContent = `${wanted.length} of ${report.claims.length} claims`;
    const files = new Map();
    for (const claim of wanted) {
      const file = claim.library ? "library models" : claim.location ? claim.location.file : "whole program";
      if (!files.has(file)) files.set(file, new Map());
      const functions = files.get(file);
      if (!functions.has(claim.function)) functions.set(claim.function, []);
      functions.get(claim.function).push(claim);
    }
    $("groups").replaceChildren();
    for (const [file, functions] of files) {
      const all = [...functions.values()].flat();
      const group = this.group(file, all, () =>
        [...functions].map(([name, list]) => this.group(name, list, () => [this.rows(list)], list.length <= 40 || this.isBad(list))));
      group.open = this.isBad(all) || files.size === 1;
      $("groups").append(group);
    }
  },
  isBad: (list) => list.some((claim) => claim.status !== "holds"),
  group(title, list, fill, open = false) {
    const counts = STATUSES.map((status) => [status, list.filter((claim) => claim.status === status).length]);
    const words = counts.filter(([, n]) => n > 0).map(([status, n]) => `${n} ${word(status)}`).join(", ");
    const group = make("details", {}, make("summary", {}, title, make("span", { class: "counts" }, words)));
    let filled = false;
    group.addEventListener("toggle", () => {
      if (group.open && !filled) {
        filled = true;
        group.append(...fill());
      }
    });
    group.open = open;
    return group;
  },
  rows(list) {
    return make("ul", { class: "claims" }, ...list.map((claim) => make("li", {},
      make("span", { class: css(claim.status), title: claim.status }, `${MARKS[claim.status]} `),
      claim.location && data.sources[claim.location.file] !== undefined
        ? make("button", { class: "link place", onclick: () => source.go(claim.location) }, place(claim.location))
        : make("span", { class: "place" }, claim.library ? "library" : "whole program"),
      ` ${claim.property}: ${claim.description} `,
      claim.reason ? make("em", {}, `(${claim.reason}) `) : null,
      claim.counterexample !== undefined
        ? make("button", { onclick: () => { trace.choose(claim.counterexample); show("trace"); } }, "show the trace")
        : null)));
  },
};

// Source with verdicts in the margin, invariants at loops, and lines that the shown trace executes.
const known = new Map();
// What is the same whenever a file is drawn.
function file_facts(file) {
  if (!known.has(file)) {
    known.set(file, { lines: (data.sources[file] || "").split("\n"), marks: verdicts(file), notes: invariants(file) });
  }
  return known.get(file);
}
function verdicts(file) {
  const lines = new Map();
  for (const claim of report.claims) {
    if (!claim.location || claim.location.file !== file) continue;
    const list = lines.get(claim.location.line) || [];
    list.push(claim);
    lines.set(claim.location.line, list);
  }
  return lines;
}
function invariants(file) {
  const loops = (report.certificate && report.certificate.loops) || [];
  return new Map(loops.filter((loop) => loop.location && loop.location.file === file)
    .map((loop) => [loop.location.line, loop.invariant]));
}
function table(file, from, to, here, seen) {
  const { lines, marks, notes } = file_facts(file);
  const body = make("tbody");
  for (let n = Math.max(1, from); n <= Math.min(lines.length, to); n += 1) {
    const list = marks.get(n) || [];
    const worst = STATUSES.find((status) => list.some((claim) => claim.status === status));
    const title = list.map((claim) => `${claim.status}: ${claim.property}: ${claim.description}`).join("\n");
    const note = notes.get(n);
    body.append(make("tr", { class: n === here ? "here" : seen && seen.has(`${file}:${n}`) ? "seen" : null, "data-line": n },
      make("td", { class: "n" }, String(n)),
      make("td", { class: `v ${worst ? css(worst) : ""}`, title }, worst ? MARKS[worst] : ""),
      make("td", {}, lines[n - 1], note ? make("span", { class: "note" }, `invariant: ${note}`) : null)));
  }
  return make("table", {}, body);
}
const source = {
  start() {
    for (const file of Object.keys(data.sources)) $("file").append(make("option", {}, file));
    $("file").addEventListener("change", () => this.draw());
    this.draw();
  },
  draw(here) {
    const file = $("file").value;
    if (file) $("code").replaceChildren(table(file, 1, Infinity, here, trace.lines()));
  },
  go(location) {
    $("file").value = location.file;
    show("source");
    this.draw(location.line);
    const row = $("code").querySelector(`[data-line="${location.line}"]`);
    if (row) row.scrollIntoView({ block: "center" });
  },
};

// A trace, stepped forwards and backwards. What variables hold after a step is found from the nearest snapshot before.
const SNAPSHOT = 500;
const trace = {
  which: 0,
  at: 0,
  snapshots: [],
  start() {
    report.counterexamples.forEach((one, i) => {
      $("which").append(make("option", { value: i }, `${one.property} at ${place(one.location)}`));
    });
    $("which").addEventListener("change", () => this.choose(Number($("which").value)));
    $("slider").addEventListener("input", () => this.go(Number($("slider").value)));
    $("matters").addEventListener("change", () => this.draw());
    $("first").addEventListener("click", () => this.go(0));
    $("last").addEventListener("click", () => this.go(this.steps().length - 1));
    $("back").addEventListener("click", () => this.move(-1));
    $("forward").addEventListener("click", () => this.move(1));
    if (report.counterexamples.length === 0) document.querySelector('[data-view="trace"]').hidden = true;
    else this.choose(0);
  },
  steps() { return data.traces[this.which] || []; },
  // The lines that the trace executes; found once for each trace, since there may be very many steps.
  seen: undefined,
  lines() {
    if (this.seen) return this.seen;
    this.seen = new Set();
    for (const at of new Set(this.steps().map((step) => step.at))) {
      const place = data.places[at];
      if (place) this.seen.add(`${place.file}:${place.line}`);
    }
    return this.seen;
  },
  choose(which) {
    this.which = which;
    this.seen = undefined;
    this.snapshots = [];
    $("which").value = which;
    $("slider").max = Math.max(0, this.steps().length - 1);
    this.go(this.steps().length - 1);
  },
  move(by) {
    const steps = this.steps();
    let next = this.at + by;
    while ($("matters").checked && steps[next] && !steps[next].matters) next += by;
    if (steps[next]) this.go(next);
  },
  go(at) {
    this.at = Math.max(0, Math.min(at, this.steps().length - 1));
    this.draw();
  },
  // The calls that are active in the thread of a step, outermost first.
  frames(state, step) {
    const thread = step.thread || 0;
    if (!state.threads.has(thread)) state.threads.set(thread, []);
    return state.threads.get(thread);
  },
  apply(state, step) {
    const frames = this.frames(state, step);
    frames.length = Math.min(frames.length, step.depth + 1);
    while (frames.length <= step.depth) frames.push({ name: step.function, values: new Map() });
    const frame = frames[step.depth];
    if (frame.name !== step.function) {
      frame.name = step.function;
      frame.values = new Map();
    }
    state.changed = undefined;
    if (step.name !== undefined) this.write(state, frames, step);
    if (step.params) frames.push({ name: step.text.split("(")[0], values: new Map(step.params) });
    if (step.object !== undefined) {
      if (!state.objects.has(step.object)) state.objects.set(step.object, new Map());
      state.objects.get(step.object).set(step.part, step.value);
    }
    if (step.freed !== undefined) state.dead.add(step.freed);
  },
  // A write to a variable of this call or of another, or of the program.
  write(state, frames, step) {
    const [thread, depth] = step.owner || [step.thread || 0, step.depth];
    const frame = (state.threads.get(thread) || [])[depth];
    const values = step.global ? state.globals : (frame || frames[step.depth]).values;
    values.set(step.name, step.value);
    state.changed = { values, name: step.name };
  },
  state(at) {
    const steps = this.steps();
    const frames = (list) => list.map((frame) => ({ name: frame.name, values: new Map(frame.values) }));
    const copy = (state) => ({
      threads: new Map([...state.threads].map(([thread, list]) => [thread, frames(list)])),
      globals: new Map(state.globals),
      objects: new Map([...state.objects].map(([name, parts]) => [name, new Map(parts)])),
      dead: new Set(state.dead),
      changed: undefined,
    });
    let number = Math.min(Math.floor(at / SNAPSHOT), this.snapshots.length - 1);
    let state = number < 0
      ? { threads: new Map(), globals: new Map(), objects: new Map(), dead: new Set(), changed: undefined }
      : copy(this.snapshots[number]);
    let next = number < 0 ? 0 : number * SNAPSHOT;
    for (; next <= at; next += 1) {
      if (next % SNAPSHOT === 0 && next / SNAPSHOT === this.snapshots.length) this.snapshots.push(copy(state));
      this.apply(state, steps[next]);
    }
    return state;
  },
  draw() {
    const steps = this.steps(), step = steps[this.at];
    $("slider").value = this.at;
    $("at").textContent = steps.length === 0 ? "the execution is too long to be shown" : `step ${this.at + 1} of ${steps.length}`;
    if (!step) return;
    $("step").textContent = `${step.thread === undefined ? "" : `thread ${step.thread}, `}${step.function}: ${step.text}`;
    if (step.location) {
      const { file, line } = step.location;
      $("here").replaceChildren(table(file, line - 6, line + 6, line, this.lines()));
    } else $("here").replaceChildren();
    const state = this.state(this.at);
    const body = make("tbody");
    const block = (title, values) => {
      if (values.size === 0) return;
      body.append(make("tr", {}, make("th", { colspan: 2 }, title)));
      for (const [name, value] of values) {
        const changed = state.changed && values === state.changed.values && name === state.changed.name;
        body.append(make("tr", { class: changed ? "changed" : null }, make("td", {}, name), make("td", {}, value)));
      }
    };
    for (const [thread, frames] of state.threads) {
      const of = state.threads.size > 1 ? `thread ${thread}: ` : "";
      for (const frame of [...frames].reverse()) block(`${of}${frame.name}`, frame.values);
    }
    block("global", state.globals);
    $("values").replaceChildren(make("table", {}, body));
    $("memory").replaceChildren(...memory(state));
    this.list();
  },
  // A window of the list around the step, so that long traces stay quick.
  list() {
    const steps = this.steps(), rows = [];
    const wanted = (step) => !$("matters").checked || step.matters;
    const add = (from, by, most) => {
      for (let i = from, n = 0; steps[i] && n < most; i += by) {
        if (!wanted(steps[i])) continue;
        rows.push(i);
        n += 1;
      }
    };
    add(this.at, -1, 30);
    rows.reverse();
    add(this.at + 1, 1, 60);
    $("steps").replaceChildren(...rows.map((i) => make("li", {
      value: i + 1, class: i === this.at ? "here" : null, onclick: () => this.go(i),
    }, make("span", { class: "place" }, place(steps[i].location)), ` ${"  ".repeat(steps[i].depth)}${steps[i].text}`)));
    const here = $("steps").querySelector(".here");
    if (here) $("steps").scrollTop = here.offsetTop - $("steps").offsetTop - 100;
  },
};

// Variables that point and the objects that they point to, as boxes and arrows.
const POINTS = /^(heap object \d+|&[A-Za-z_]\w*)/;
function memory(state) {
  const left = [], right = new Map();
  const target = (value) => {
    const found = POINTS.exec(value);
    if (!found) return undefined;
    if (!right.has(found[1])) right.set(found[1], [...(state.objects.get(found[1]) || [])]);
    return found[1];
  };
  const scopes = [...[...state.threads.values()].flat().map((frame) => frame.values), state.globals];
  for (const values of scopes) {
    for (const [name, value] of values) {
      if (/->|\[|\*|\./.test(name)) continue;
      const to = target(value);
      if (to || value === "NULL") left.push({ name, to });
    }
  }
  for (const name of right.keys()) for (const [, value] of right.get(name)) target(value);
  if (left.length === 0) return [];
  const names = [...right.keys()].slice(0, 40);
  const NS = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(NS, "svg");
  const draw = (tag, attributes, text, parent = svg) => {
    const element = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const defs = draw("defs", {});
  const marker = draw("marker", { id: "tip", markerWidth: 8, markerHeight: 8, refX: 7, refY: 3, orient: "auto" }, undefined, defs);
  draw("path", { d: "M0,0 L7,3 L0,6" }, undefined, marker);
  const tops = new Map();
  let y = 10;
  for (const name of names) {
    const parts = right.get(name).slice(0, 8);
    const height = 20 + 16 * parts.length;
    const box = draw("g", { class: state.dead.has(name) ? "dead" : "" });
    draw("rect", { x: 230, y, width: 220, height, rx: 4 }, undefined, box);
    draw("text", { x: 238, y: y + 14 }, name + (state.dead.has(name) ? " (freed)" : ""), box);
    parts.forEach(([part, value], i) => draw("text", { x: 246, y: y + 30 + 16 * i }, `${part} = ${value}`.slice(0, 28), box));
    tops.set(name, y + 10);
    y += height + 12;
  }
  let x = 10;
  for (const { name, to } of left.slice(0, 40)) {
    draw("rect", { x: 10, y: x, width: 130, height: 20, rx: 4 });
    draw("text", { x: 18, y: x + 14 }, (to ? name : `${name} = NULL`).slice(0, 16));
    if (tops.has(to)) draw("path", { d: `M140,${x + 10} C190,${x + 10} 180,${tops.get(to)} 228,${tops.get(to)}`, "marker-end": "url(#tip)" });
    x += 28;
  }
  names.forEach((name) => right.get(name).slice(0, 8).forEach(([, value], i) => {
    const to = target(value);
    if (tops.has(to) && to !== name) {
      const from = tops.get(name) + 16 + 16 * i;
      draw("path", { d: `M450,${from} C490,${from} 490,${tops.get(to)} 452,${tops.get(to)}`, "marker-end": "url(#tip)" });
    }
  }));
  svg.setAttribute("viewBox", `0 0 500 ${Math.max(x, y) + 10}`);
  svg.setAttribute("width", 500);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Pointers and the objects they point to");
  return [svg];
}

// What was asked, assumed and spent.
{
  const list = make("dl");
  const row = (title, ...content) => list.append(make("dt", {}, title), make("dd", {}, ...content));
  row("Files", report.task.files.map((file) => file.name).join(", "));
  row("Data model", report.task.data_model);
  row("Begins in", report.task.entry || "main");
  row("Engine", report.task.engine);
  row("Properties", report.task.properties.join(", ") || report.task.specification || "");
  row("Assumed", make("ul", {}, ...report.assumptions.map((one) => make("li", {}, one.text))));
  if (report.certificate) row("Proof", make("pre", {}, report.certificate.text));
  if (report.statistics) row("Seconds", make("pre", {}, JSON.stringify(report.statistics.seconds, null, 1)));
  row("Keys", "1 to 4 choose a part, / searches, arrow keys step, Home and End go to the first step and the violation, d changes light and dark");
  $("about").append(list);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range" && event.target.type !== "checkbox";
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const keys = {
    "/": () => { show("claims"); $("words").focus(); },
    d: () => $("theme").click(),
    1: () => show("claims"),
    2: () => show("source"),
    3: () => report.counterexamples.length > 0 && show("trace"),
    4: () => show("about"),
  };
  if (!$("trace").hidden) {
    Object.assign(keys, {
      ArrowLeft: () => trace.move(-1),
      ArrowRight: () => trace.move(1),
      Home: () => trace.go(0),
      End: () => trace.go(trace.steps().length - 1),
    });
  }
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});

claims.start();
trace.start();
source.start();
show(report.counterexamples.length > 0 ? "trace" : "claims");
