// Starts the server and the debug adapter, and shows claims and traces.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { Claim, Group, Step, Verified, isGroup, serverSettings, tree } from "./model";

let client: LanguageClient | undefined;

function command(): string {
  return vscode.workspace.getConfiguration("vergo").get<string>("path") || "vergo";
}

function settings(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration("vergo");
  return serverSettings((key) => configuration.get(key), vscode.workspace.isTrusted);
}

class Claims implements vscode.TreeDataProvider<Group | Claim> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private groups: Group[] = [];
  /** The document from which the claims were asked for. */
  root = "";

  show(verified: Verified): void {
    this.root = verified.uri;
    this.groups = tree(verified);
    this.changed.fire();
  }

  getChildren(node?: Group | Claim): Array<Group | Claim> {
    if (!node) return this.groups;
    return isGroup(node) ? node.children : [];
  }

  getTreeItem(node: Group | Claim): vscode.TreeItem {
    if (isGroup(node)) {
      const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Collapsed);
      item.description = node.counts;
      return item;
    }
    const item = new vscode.TreeItem(node.message.split("\n")[0], vscode.TreeItemCollapsibleState.None);
    item.description = `line ${node.range.start.line + 1}`;
    const icons = { violated: "error", unknown: "question", holds: "pass" } as const;
    item.iconPath = new vscode.ThemeIcon(icons[node.status]);
    item.command = { command: "vergo.openClaim", title: "Show", arguments: [node] };
    return item;
  }
}

class Trace implements vscode.TreeDataProvider<Step> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private steps: Step[] = [];

  show(steps: Step[]): void {
    this.steps = steps;
    this.changed.fire();
  }

  getChildren(node?: Step): Step[] {
    return node ? [] : this.steps;
  }

  getTreeItem(step: Step): vscode.TreeItem {
    const item = new vscode.TreeItem(step.text);
    item.description = `line ${step.range.start.line + 1}`;
    item.command = { command: "vergo.openStep", title: "Show", arguments: [step] };
    return item;
  }
}

async function reveal(uri: string, range: Claim["range"]): Promise<void> {
  const { start, end } = range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
}

async function start(context: vscode.ExtensionContext, claims: Claims): Promise<void> {
  const server: ServerOptions = { command: command(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "c" }, { scheme: "file", language: "goto" }],
    initializationOptions: settings(),
  };
  client = new LanguageClient("vergo", "Vergo", server, options);
  context.subscriptions.push(client);
  client.onNotification("vergo/verified", (verified: Verified) => claims.show(verified));
  try {
    await client.start();
  } catch (error) {
    const open = "Open the setting";
    const text = `Vergo cannot be started as \`${command()}\` (${error}). Install it, or say where it is in the setting vergo.path.`;
    if ((await vscode.window.showErrorMessage(text, open)) === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "vergo.path");
    }
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const claims = new Claims();
  const trace = new Trace();
  const register = (name: string, run: (...args: any[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  context.subscriptions.push(
    vscode.window.registerTreeDataProvider("vergoClaims", claims),
    vscode.window.registerTreeDataProvider("vergoTrace", trace),
    vscode.workspace.onDidGrantWorkspaceTrust(() => client?.sendNotification("vergo/trust", {})),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("vergo")) {
        void client?.sendNotification("workspace/didChangeConfiguration", { settings: { vergo: settings() } });
      }
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory("vergo", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(command(), ["dap"]),
    }),
  );
  register("vergo.openClaim", async (claim: Claim) => {
    trace.show(claim.steps);
    await reveal(claim.uri, claim.range);
    await vscode.commands.executeCommand("vergo.showTrace", { uri: claims.root, claim: claim.claim });
  });
  register("vergo.openStep", (step: Step) => reveal(step.uri, step.range));
  register("vergo.verifyFile", async () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document) await vscode.commands.executeCommand("vergo.verify", { uri: document.uri.toString() });
  });
  register("vergo.debugCounterexample", async () => {
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return;
    await vscode.debug.startDebugging(undefined, {
      type: "vergo", request: "launch", name: "Counterexample", program: document.uri.fsPath,
    });
  });
  register("vergo.restart", async () => {
    await client?.stop();
    await start(context, claims);
  });
  // What cannot be started asks what to do, and nobody waits for the answer.
  void start(context, claims);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
