// The extension inside of an editor that is not there: what it registers, shows and starts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import { test } from "node:test";

type Handler = (...args: any[]) => any;

/** What the extension has asked the editor for. */
class Editor {
  commands = new Map<string, Handler>();
  views = new Map<string, any>();
  executed: Array<[string, unknown]> = [];
  shown: Array<[string, unknown]> = [];
  debugged: unknown[] = [];
  errors: string[] = [];
  factory: any;
  granted: Handler = () => undefined;
  configured: Handler = () => undefined;
  settings: Record<string, unknown> = { path: "/opt/vergo", verifyOnSave: true, timeout: 5, showSafe: false, unwind: 3, property: "" };
  document: { uri: { fsPath: string; toString(): string } } | undefined;

  module(): Record<string, unknown> {
    const editor = this;
    return {
      EventEmitter: class {
        private listeners: Handler[] = [];
        event = (listener: Handler) => { this.listeners.push(listener); };
        fire(value?: unknown): void { for (const listener of this.listeners) listener(value); }
      },
      TreeItem: class { constructor(public label: string, public collapsibleState?: number) {} },
      TreeItemCollapsibleState: { None: 0, Collapsed: 1 },
      ThemeIcon: class { constructor(public id: string) {} },
      Range: class { values: number[]; constructor(...values: number[]) { this.values = values; } },
      Uri: { parse: (text: string) => ({ text }) },
      DebugAdapterExecutable: class { constructor(public command: string, public args: string[]) {} },
      commands: {
        registerCommand: (name: string, run: Handler) => { this.commands.set(name, run); return {}; },
        executeCommand: async (name: string, argument: unknown) => { this.executed.push([name, argument]); },
      },
      window: {
        registerTreeDataProvider: (name: string, provider: unknown) => { this.views.set(name, provider); return {}; },
        showTextDocument: async (uri: { text: string }, options: any) => { this.shown.push([uri.text, options.selection.values]); },
        showErrorMessage: async (text: string) => { this.errors.push(text); },
        get activeTextEditor() { return editor.document && { document: editor.document }; },
      },
      workspace: {
        isTrusted: false,
        getConfiguration: () => ({ get: (key: string) => this.settings[key] }),
        onDidGrantWorkspaceTrust: (run: Handler) => { this.granted = run; return {}; },
        onDidChangeConfiguration: (run: Handler) => { this.configured = run; return {}; },
      },
      debug: {
        registerDebugAdapterDescriptorFactory: (_: string, factory: unknown) => { this.factory = factory; return {}; },
        startDebugging: async (_: unknown, configuration: unknown) => { this.debugged.push(configuration); },
      },
    };
  }
}

class Client {
  static made: Client[] = [];
  static fails = false;
  sent: Array<[string, unknown]> = [];
  heard = new Map<string, Handler>();
  stopped = false;
  constructor(public id: string, public name: string, public server: any, public options: any) { Client.made.push(this); }
  onNotification(method: string, run: Handler): void { this.heard.set(method, run); }
  async start(): Promise<void> { if (Client.fails) throw new Error("ENOENT"); }
  async stop(): Promise<void> { this.stopped = true; }
  async sendNotification(method: string, params: unknown): Promise<void> { this.sent.push([method, params]); }
}

const editor = new Editor();
const loader = Module as unknown as { _load: Handler };
const load = loader._load;
const fakes: Record<string, unknown> = { vscode: editor.module(), "vscode-languageclient/node": { LanguageClient: Client } };
loader._load = (request: string, ...rest: unknown[]) => fakes[request] ?? load.call(Module, request, ...rest);
const extension = require("../src/extension") as typeof import("../src/extension");
const manifest = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));

const at = (line: number) => ({ start: { line, character: 4 }, end: { line, character: 8 } });
const step = { uri: "file:///a.c", range: at(4), text: "i = 2" };
const verified = {
  uri: "file:///a.c", function: null, answer: "false(memory.bounds)",
  claims: [
    { claim: 0, uri: "file:///a.c", range: at(7), status: "holds", property: "memory.null", function: "main", message: "safe", steps: [] },
    { claim: 1, uri: "file:///a.c", range: at(7), status: "violated", property: "memory.bounds", function: "main", message: "a[i]\nmore", steps: [step] },
  ],
};

test("the extension registers what its manifest promises, and starts both servers", async () => {
  const subscriptions: unknown[] = [];
  await extension.activate({ subscriptions } as any);
  for (const { command } of manifest.contributes.commands) assert.ok(editor.commands.has(command), command);
  for (const { id } of manifest.contributes.views.explorer) assert.ok(editor.views.has(id), id);
  const [client] = Client.made;
  assert.deepEqual(client.server, { command: "/opt/vergo", args: ["lsp"] });
  assert.equal(client.options.initializationOptions.trusted, false);
  const { command, args } = editor.factory.createDebugAdapterDescriptor();
  assert.deepEqual([command, args], ["/opt/vergo", ["dap"]]);
  // Trust and settings are told to the server when they change.
  editor.granted();
  editor.configured({ affectsConfiguration: (section: string) => section === "vergo" });
  assert.deepEqual(client.sent.map(([method]) => method), ["vergo/trust", "workspace/didChangeConfiguration"]);
});

test("claims are shown as a tree, and a claim with its steps", async () => {
  const [client] = Client.made;
  client.heard.get("vergo/verified")?.(verified);
  const claims = editor.views.get("vergoClaims");
  const [main] = claims.getChildren();
  assert.equal(claims.getTreeItem(main).description, "1 violated, 1 safe");
  const [bounds] = claims.getChildren(main);
  const [claim] = claims.getChildren(bounds);
  const item = claims.getTreeItem(claim);
  assert.deepEqual([item.label, item.description, item.iconPath.id], ["a[i]", "line 8", "error"]);
  await editor.commands.get("vergo.openClaim")?.(claim);
  assert.deepEqual(editor.shown.at(-1), ["file:///a.c", [7, 4, 7, 8]]);
  assert.deepEqual(editor.executed.at(-1), ["vergo.showTrace", { uri: "file:///a.c", claim: 1 }]);
  const trace = editor.views.get("vergoTrace");
  const [first] = trace.getChildren();
  assert.deepEqual([trace.getTreeItem(first).label, trace.getTreeItem(first).description], ["i = 2", "line 5"]);
  await editor.commands.get("vergo.openStep")?.(first);
  assert.deepEqual(editor.shown.at(-1), ["file:///a.c", [4, 4, 4, 8]]);
});

test("the commands act on the file that is open, and do nothing without one", async () => {
  const n = editor.executed.length;
  await editor.commands.get("vergo.verifyFile")?.();
  await editor.commands.get("vergo.debugCounterexample")?.();
  assert.equal(editor.executed.length, n);
  assert.deepEqual(editor.debugged, []);
  editor.document = { uri: { fsPath: "/a.c", toString: () => "file:///a.c" } };
  await editor.commands.get("vergo.verifyFile")?.();
  assert.deepEqual(editor.executed.at(-1), ["vergo.verify", { uri: "file:///a.c" }]);
  await editor.commands.get("vergo.debugCounterexample")?.();
  assert.deepEqual(editor.debugged, [{ type: "vergo", request: "launch", name: "Counterexample", program: "/a.c" }]);
});

test("a server that cannot be started is said with what to do", async () => {
  Client.fails = true;
  await editor.commands.get("vergo.restart")?.();
  assert.ok(Client.made[0].stopped);
  assert.match(editor.errors[0], /\/opt\/vergo.*vergo\.path/);
  await extension.deactivate();
});
