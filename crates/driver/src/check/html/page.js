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
  if (view === "claims") claims.drawOnce();
  if (view === "source") source.drawOnce();
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
  const counts = STATUSES.map((status) => [status, report.claims.filter((claim) => claim.status === status).length]);
  const parts = counts.filter(([, n]) => n > 0).map(([status, n]) => `${n} ${word(status)}`);
  const files = report.task.files.map((file) => file.name.split("/").pop());
  const named = files.length > 3 ? `${files.length} files` : files.join(", ");
  const seconds = report.statistics && report.statistics.seconds.total;
  const time = typeof seconds === "number" ? [`${seconds.toFixed(1)} s`] : [];
  $("summary").textContent = [named, parts.join(", "), ...time].filter(Boolean).join(" · ");
  document.title = `${named}: ${$("verdict").textContent}`;
}

// Claims by file and function. Rows of a group are made when it is opened, so that many thousands stay quick.
const MOST_ROWS = 1000;
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
  },
  // Nobody waits for what is not shown.
  isDrawn: false,
  drawOnce() { if (!this.isDrawn) this.draw(); },
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
    this.isDrawn = true;
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
      // What has to be looked at comes first and is open; the rest is open if there is nothing else.
      const bad = (list) => Number(this.isBad(list));
      const sorted = [...functions].sort(([, a], [, b]) => bad(b) - bad(a));
      let n_open = 0;
      const opens = (list) => (this.isBad(list) || (list.length <= 40 && !this.isBad(wanted))) && (n_open += list.length) <= MOST_ROWS;
      const group = this.group(file, all, () =>
        sorted.map(([name, list]) => this.group(name, list, () => [this.rows(list)], opens(list))));
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
    const rank = (claim) => STATUSES.indexOf(claim.status);
    const sorted = [...list].sort((a, b) => rank(a) - rank(b));
    return make("ul", { class: "claims" }, ...sorted.map((claim) => make("li", { class: word(claim.status) },
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
function table(file, from, to, here, seen, told) {
  const { lines, marks, notes } = file_facts(file);
  const body = make("tbody");
  for (let n = Math.max(1, from); n <= Math.min(lines.length, to); n += 1) {
    const list = marks.get(n) || [];
    const worst = STATUSES.find((status) => list.some((claim) => claim.status === status));
    const title = list.map((claim) => `${claim.status}: ${claim.property}: ${claim.description}`).join("\n");
    const note = notes.get(n);
    // Beside a trace stands what its step says, else what goes wrong.
    const wrong = new Set(list.filter((claim) => claim.status === "violated").map((claim) => claim.description));
    const said = told ? [told.text].filter(() => n === here) : [...wrong];
    const bad = !told || told.kind === "violation";
    body.append(make("tr", { class: n === here ? "here" : seen && seen.has(`${file}:${n}`) ? "seen" : null, "data-line": n },
      make("td", { class: "n" }, String(n)),
      make("td", { class: `v ${worst ? css(worst) : ""}`, title }, worst ? MARKS[worst] : ""),
      make("td", {}, lines[n - 1], note ? make("span", { class: "note" }, `invariant: ${note}`) : null,
        said.length > 0 ? make("span", { class: bad ? "told violated" : "told" }, said.join("; ")) : null)));
  }
  return make("table", {}, body);
}
const source = {
  start() {
    for (const file of Object.keys(data.sources)) $("file").append(make("option", {}, file));
    $("file").addEventListener("change", () => this.draw());
  },
  isDrawn: false,
  drawOnce() { if (!this.isDrawn) this.draw(); },
  draw(here) {
    this.isDrawn = true;
    const file = $("file").value;
    if (file) $("code").replaceChildren(table(file, 1, Infinity, here, trace.lines()));
  },
  go(location) {
    $("file").value = location.file;
    this.draw(location.line);
    show("source");
    const row = $("code").querySelector(`[data-line="${location.line}"]`);
    if (row) row.scrollIntoView({ block: "center" });
  },
};

// What the variables of a scope hold, each as a whole and by its parts; a whole is told from its parts once one is newer.
const PARTS = 8;
class Values {
  // `split` has the names of what has parts, so that only these are looked through.
  constructor(entries = [], split = []) {
    this.entries = new Map(entries);
    this.split = new Set(split);
  }
  copy() { return new Values(this.entries, this.split); }
  write(name, value, parts, pointer) {
    if (this.split.has(name)) {
      for (const key of [...this.entries.keys()]) {
        if (key !== name && key.startsWith(name) && /^[.[]/.test(key.slice(name.length))) this.entries.delete(key);
      }
      this.split.delete(name);
    }
    this.entries.set(name, { value, pointer });
    for (const [path, one] of parts || []) {
      this.entries.set(name + path, { value: one });
      this.split.add(name);
    }
    for (let i = 1; i < name.length; i += 1) {
      if (name[i] !== "." && name[i] !== "[") continue;
      const around = name.slice(0, i), whole = this.entries.get(around);
      this.split.add(around);
      if (whole && !whole.pointer && !whole.old) this.entries.set(around, { ...whole, old: true });
    }
  }
  // The variables, or the parts of one, in their order: their names and whole names.
  names(path = "") {
    const found = new Map();
    for (const key of this.entries.keys()) {
      if (!key.startsWith(path)) continue;
      const rest = key.slice(path.length);
      let name = (path === "" ? /^(\[[^\]]*\]|[^.[]*)/ : /^(\[[^\]]*\]|\.[^.[]*)/).exec(rest)?.[0];
      if (path === "" && name && this.entries.get(name)?.pointer) name = key;
      if (name) found.set(name, path + name);
    }
    const number = (name) => (name.startsWith("[") ? Number(name.slice(1, -1)) : -1);
    return [...found].sort(([a], [b]) => number(a) - number(b));
  }
  text(path) {
    const whole = this.entries.get(path);
    if (whole && !whole.old) return whole.value;
    const names = this.names(path);
    if (names.length === 0) return whole ? whole.value : "";
    const complete = names.every(([name], i) => name === `[${i}]`);
    const parts = names.slice(0, PARTS).map(([name, one]) => (complete ? "" : `${name} = `) + this.text(one));
    return `{${parts.concat(names.length > PARTS ? ["..."] : []).join(", ")}}`;
  }
  parts(path) { return this.entries.get(path)?.pointer ? [] : this.names(path); }
  // What has no parts, by its whole name.
  leaves(path = "") {
    return this.names(path).flatMap(([, one]) => (this.parts(one).length > 0 ? this.leaves(one) : [[one, this.text(one)]]));
  }
}

// A trace, stepped forwards and backwards. What variables hold after a step is found from the nearest snapshot before.
const SNAPSHOT = 500;
const MOST_PARTS = 40;
const LONG_VALUE = 44;
const trace = {
  which: 0,
  at: 0,
  snapshots: [],
  folds: new Map(),
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
    source.isDrawn = false;
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
    while (frames.length <= step.depth) frames.push({ name: step.function, values: new Values() });
    const frame = frames[step.depth];
    if (frame.name !== step.function) {
      frame.name = step.function;
      frame.values = new Values();
    }
    state.changed = undefined;
    if (step.name !== undefined) this.write(state, frames, step);
    if (step.params) {
      const values = new Values();
      for (const [name, value, parts] of step.params) values.write(name, value, parts);
      frames.push({ name: step.text.split("(")[0], values });
    }
    if (step.freed !== undefined) state.dead.add(step.freed);
  },
  // A write to a heap object, to a variable of this call or of another, or of the program.
  write(state, frames, step) {
    const [thread, depth] = step.owner || [step.thread || 0, step.depth];
    const frame = (state.threads.get(thread) || [])[depth];
    let values = step.global ? state.globals : (frame || frames[step.depth]).values;
    let name = step.name;
    if (step.object !== undefined) {
      if (!state.objects.has(step.object)) state.objects.set(step.object, new Values());
      values = state.objects.get(step.object);
      name = step.part;
    }
    values.write(name, step.value, step.parts, step.pointer);
    state.changed = { values, name };
  },
  state(at) {
    const steps = this.steps();
    const frames = (list) => list.map((frame) => ({ name: frame.name, values: frame.values.copy() }));
    const copy = (state) => ({
      threads: new Map([...state.threads].map(([thread, list]) => [thread, frames(list)])),
      globals: state.globals.copy(),
      objects: new Map([...state.objects].map(([name, parts]) => [name, parts.copy()])),
      dead: new Set(state.dead),
      changed: undefined,
    });
    let number = Math.min(Math.floor(at / SNAPSHOT), this.snapshots.length - 1);
    let state = number < 0
      ? { threads: new Map(), globals: new Values(), objects: new Map(), dead: new Set(), changed: undefined }
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
    const of = `${step.thread === undefined ? "" : `thread ${step.thread}, `}${step.function}: `;
    $("step").replaceChildren(make("span", { class: "of" }, of),
      make("span", { class: step.kind === "violation" ? "violated" : null }, step.text));
    if (step.location) {
      const { file, line } = step.location;
      $("here").replaceChildren(table(file, line - 6, line + 6, line, this.lines(), step));
    } else $("here").replaceChildren();
    const state = this.state(this.at);
    const body = make("tbody");
    const block = (title, values) => {
      const { changed } = state;
      const isChanged = (path) => changed && values === changed.values && path === changed.name;
      const row = (name, path, depth) => {
        const parts = values.parts(path), text = values.text(path), key = `${title} ${path}`;
        const inside = changed && values === changed.values && changed.name.startsWith(path) && changed.name !== path;
        // What is short is not opened, unless something inside of it has changed or a reader says so.
        const open = parts.length > 0 && (this.folds.get(key) ?? (inside || text.length > LONG_VALUE));
        const fold = parts.length === 0 ? make("span", { class: "leaf" }) : make("button", {
          class: "fold", "aria-expanded": open, "aria-label": `parts of ${name}`,
          onclick: () => { this.folds.set(key, !open); this.draw(); },
        }, open ? "▾" : "▸");
        body.append(make("tr", { class: isChanged(path) ? "changed" : null },
          make("td", { style: `padding-left: ${0.3 + depth}rem` }, fold, name.replace(/^\./, "")),
          make("td", {}, open && text.length > LONG_VALUE ? "" : text)));
        if (!open) return;
        for (const [part, one] of parts.slice(0, MOST_PARTS)) row(part, one, depth + 1);
        if (parts.length > MOST_PARTS) body.append(make("tr", {}, make("td", { colspan: 2 }, `… ${parts.length - MOST_PARTS} more`)));
      };
      const names = values.names();
      if (names.length === 0) return;
      body.append(make("tr", {}, make("th", { colspan: 2 }, title)));
      for (const [name, path] of names) row(name, path, 0);
    };
    for (const [thread, frames] of state.threads) {
      const of = state.threads.size > 1 ? `thread ${thread}: ` : "";
      for (const frame of [...frames].reverse()) block(`${of}${frame.name}`, frame.values);
    }
    block("global", state.globals);
    // Objects that are alive come first, and very many are not listed.
    const objects = [...state.objects].sort(([a], [b]) => Number(state.dead.has(a)) - Number(state.dead.has(b)));
    for (const [name, parts] of objects.slice(0, MOST_PARTS)) block(name + (state.dead.has(name) ? " (freed)" : ""), parts);
    if (objects.length > MOST_PARTS) body.append(make("tr", {}, make("th", { colspan: 2 }, `… ${objects.length - MOST_PARTS} more heap objects`)));
    $("values").replaceChildren(make("table", {}, body));
    $("memory").replaceChildren(...memory(state));
    this.list();
  },
  // A window of the list around the step, so that long traces stay quick.
  list() {
    const steps = this.steps(), rows = [];
    const wanted = (i) => i === this.at || !$("matters").checked || steps[i].matters;
    const add = (from, by, most) => {
      for (let i = from, n = 0; steps[i] && n < most; i += by) {
        if (!wanted(i)) continue;
        rows.push(i);
        n += 1;
      }
    };
    add(this.at, -1, 30);
    rows.reverse();
    add(this.at + 1, 1, 60);
    $("steps").replaceChildren(...rows.map((i) => make("li", {
      value: i + 1, class: [i === this.at && "here", steps[i].kind === "violation" && "violation"].filter(Boolean).join(" "),
      onclick: () => this.go(i),
    }, make("span", { class: "place" }, steps[i].location ? `${steps[i].location.line}` : ""), ` ${"  ".repeat(steps[i].depth)}${steps[i].text}`)));
    const here = $("steps").querySelector(".here");
    if (here) $("steps").scrollTop = here.offsetTop - $("steps").offsetTop - 100;
  },
};

// Variables that point and the objects that they point to, as boxes and arrows: variables to the left, the heap to the right.
const POINTS = /^(heap object \d+|&([A-Za-z_]\w*))/;
const BOX = { rows: 8, most: 40, row: 16, left: 40, right: 270, width: 190 };
function memory(state) {
  const scopes = [...state.threads.values()].flatMap((frames) => [...frames].reverse());
  scopes.push({ values: state.globals });
  const variables = scopes.flatMap(({ name, values }) => values.names().map(([title, path]) => {
    const parts = values.parts(path).length > 0 ? values.leaves(path) : [];
    return { title: name ? `${title} (${name})` : title, path, values, rows: parts.length > 0 ? parts : [[path, values.text(path)]] };
  }));
  const heap = new Map();
  // The box that a value points to: an object of the heap, or the nearest variable of that name that is not the pointer itself.
  const target = (value, from) => {
    const found = POINTS.exec(value);
    if (!found) return undefined;
    if (found[2]) return variables.find((one) => one.path === found[2] && one !== from);
    if (!heap.has(found[1])) {
      const dead = state.dead.has(found[1]), values = state.objects.get(found[1]);
      heap.set(found[1], { title: found[1] + (dead ? " (freed)" : ""), dead, values, rows: values ? values.leaves() : [] });
    }
    return heap.get(found[1]);
  };
  const arrows = [];
  const follow = (box) => box.rows.slice(0, BOX.rows).forEach(([, value], i) => {
    const to = target(value, box);
    if (to) arrows.push({ from: box, row: i, to });
  });
  variables.forEach(follow);
  // What is found on the way is followed in its turn.
  for (const box of heap.values()) if (heap.size <= BOX.most) follow(box);
  const pointed = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const left = variables.filter((one) => pointed.has(one) || one.rows.some(([, value]) => value === "NULL")).slice(0, BOX.most);
  const right = [...heap.values()].slice(0, BOX.most);
  if (left.length === 0 && right.length === 0) return [];
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
  const cut = (text) => (text.length > 26 ? `${text.slice(0, 25)}…` : text);
  // One column of boxes; where it ends.
  const column = (boxes, x) => {
    let y = 10;
    for (const box of boxes) {
      const single = box.rows.length === 1 && box.rows[0][0] === box.path;
      const rows = box.rows.slice(0, BOX.rows);
      const height = 22 + (single ? 0 : BOX.row * rows.length);
      Object.assign(box, { x, y, single, height });
      const group = draw("g", { class: box.dead ? "dead" : "" });
      draw("rect", { x, y, width: BOX.width, height, rx: 4 }, undefined, group);
      const mark = (path) => (state.changed && state.changed.values === box.values && state.changed.name === path ? "changed" : "");
      const own = single && !POINTS.test(box.rows[0][1]) ? `${box.title} = ${box.rows[0][1]}` : box.title;
      draw("text", { x: x + 8, y: y + 15, class: `title ${single ? mark(box.path) : ""}` }, cut(own), group);
      if (!single) {
        rows.forEach(([path, value], i) => {
          const name = (box.path ? path.slice(box.path.length) : path).replace(/^\./, "");
          draw("text", { x: x + 14, y: y + 31 + BOX.row * i, class: mark(path) }, cut(POINTS.test(value) ? name : `${name} = ${value}`), group);
        });
      }
      y += height + 12;
    }
    return y;
  };
  const end = Math.max(column(left, BOX.left), column(right, BOX.right));
  for (const { from, row, to } of arrows) {
    if (from.x === undefined || to.x === undefined) continue;
    const y = from.single ? from.y + 11 : from.y + 27 + BOX.row * row, top = to.y + 11;
    const [out, into] = [from.x + BOX.width, to.x];
    const d = from.x < to.x ? `M${out},${y} C${out + 25},${y} ${into - 25},${top} ${into - 2},${top}`
      : from.x > to.x ? `M${from.x},${y} C${from.x - 25},${y} ${into + BOX.width + 25},${top} ${into + BOX.width + 2},${top}`
        : to.x === BOX.left ? `M${from.x},${y} C${from.x - 30},${y} ${into - 30},${top} ${into - 2},${top}`
          : `M${out},${y} C${out + 35},${y} ${out + 35},${top} ${out + 2},${top}`;
    draw("path", { d, "marker-end": "url(#tip)" });
  }
  const width = BOX.right + BOX.width + 40;
  svg.setAttribute("viewBox", `0 0 ${width} ${end}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", end);
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
  if (report.certificate) {
    const title = report.verdict.result === "true" ? "Proof" : "Why the safe claims hold";
    row(title, make("pre", {}, report.certificate.text));
  }
  if (report.statistics) {
    const times = Object.entries(report.statistics.seconds).filter(([, time]) => time >= 0.0005);
    row("Time", make("table", {}, ...times.map(([name, time]) =>
      make("tr", {}, make("td", {}, name.replaceAll("_", " ")), make("td", {}, `${time.toFixed(3)} s`)))));
  }
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

// A link leads to a part of the report (`#source`), or to a step of a counterexample (`#trace/0/12`).
function follow_link() {
  const [view, which, step] = location.hash.slice(1).split("/");
  const has = VIEWS.includes(view) && (view !== "trace" || report.counterexamples.length > 0);
  if (has && view === "trace" && report.counterexamples[Number(which)]) {
    trace.choose(Number(which));
    if (Number(step) >= 1) trace.go(Number(step) - 1);
  }
  show(has ? view : report.counterexamples.length > 0 ? "trace" : "claims");
}
window.addEventListener("hashchange", follow_link);
follow_link();
