// The protocol that the extension speaks, against the real server; skipped if there is none.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { StreamMessageReader, StreamMessageWriter, createMessageConnection } from "vscode-jsonrpc/node";
import { Verified, serverSettings, tree } from "../src/model";

const vergo = process.env.VERGO ?? "vergo";
const there = spawnSync(vergo, ["--version"]).status === 0;
const skip = there ? false : `there is no \`${vergo}\`; VERGO names it`;

const PROGRAM = "extern int nondet_int(void);\nint main(void)\n{\n    int a[2] = { 0, 1 };\n    int i = nondet_int();\n" +
  "    if (i < 0 || i > 2)\n        return 0;\n    return a[i];\n}\n";

test("a program is verified and its claims are shown", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "vergo-"));
  const file = join(folder, "a.c");
  writeFileSync(file, PROGRAM);
  const uri = pathToFileURL(file).toString();
  const server = spawn(vergo, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.listen();
  try {
    const values: Record<string, unknown> = { verifyOnSave: true, timeout: 60, showSafe: false, unwind: 0, property: "" };
    const initializationOptions = serverSettings((key) => values[key], true);
    await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions });
    await connection.sendNotification("initialized", {});
    const verified = new Promise<Verified>((resolve) => connection.onNotification("vergo/verified", resolve));
    const textDocument = { uri, languageId: "c", version: 1, text: PROGRAM };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    await connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
    const said = await verified;
    assert.match(said.answer, /^false\(memory\./);
    const groups = tree(said);
    assert.deepEqual(groups.map((group) => group.label), ["main"]);
    assert.match(groups[0].counts, /^\d+ violated/);
    const violated = said.claims.filter((claim) => claim.status === "violated");
    assert.ok(violated.some((claim) => claim.steps.some((step) => step.text.includes("i = 2"))));
    const again = await connection.sendRequest<Verified>("vergo/claims", { uri });
    assert.deepEqual(again, said);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true });
  }
});
