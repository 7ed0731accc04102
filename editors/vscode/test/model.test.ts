import assert from "node:assert/strict";
import { test } from "node:test";
import { Claim, Status, counts, isGroup, serverSettings, tree } from "../src/model";

function claim(fn: string, property: string, line: number, status: Status): Claim {
  const range = { start: { line, character: 0 }, end: { line, character: 1 } };
  return { claim: 0, uri: "file:///a.c", range, status, property, function: fn, message: "m", steps: [] };
}

test("claims are counted in words", () => {
  assert.equal(counts([]), "");
  const all = [claim("f", "p", 1, "holds"), claim("f", "p", 2, "violated"), claim("f", "p", 3, "holds")];
  assert.equal(counts(all), "1 violated, 2 safe");
});

test("the tree is by function and property, violated first", () => {
  const claims = [
    claim("main", "memory.bounds", 3, "holds"),
    claim("main", "memory.bounds", 9, "violated"),
    claim("main", "arith.shift", 4, "unknown"),
    claim("f", "memory.null", 1, "holds"),
  ];
  const groups = tree({ uri: "file:///a.c", function: null, answer: "false(memory.bounds)", claims });
  assert.deepEqual(groups.map((group) => [group.label, group.counts]), [
    ["f", "1 safe"],
    ["main", "1 violated, 1 undecided, 1 safe"],
  ]);
  const bounds = groups[1].children[1];
  assert.ok(isGroup(bounds) && bounds.label === "memory.bounds");
  assert.deepEqual(bounds.children.map((child) => (isGroup(child) ? "" : child.status)), ["violated", "holds"]);
});

test("settings without trust run nothing", () => {
  const values: Record<string, unknown> = { verifyOnSave: true, timeout: 5, showSafe: false, unwind: 0, property: "" };
  const settings = serverSettings((key) => values[key], false);
  assert.deepEqual(settings, {
    trusted: false, verifyOnSave: true, timeout: 5, showSafe: false, unwind: null, property: null,
  });
});
