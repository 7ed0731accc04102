// What the views show, without the editor: tested on its own.

export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }
export interface Step { uri: string; range: Range; text: string }

export type Status = "violated" | "unknown" | "holds";

export interface Claim {
  claim: number;
  uri: string;
  range: Range;
  status: Status;
  property: string;
  function: string;
  message: string;
  steps: Step[];
}

/** What `vergo/verified` and `vergo/claims` say. */
export interface Verified { uri: string; function: string | null; answer: string; claims: Claim[] }

export interface Group { label: string; counts: string; children: Array<Group | Claim> }

const WORDS: Array<[Status, string]> = [["violated", "violated"], ["unknown", "undecided"], ["holds", "safe"]];

/** How many claims have which verdict, in words. */
export function counts(claims: Claim[]): string {
  const parts = WORDS.map(([status, word]) => [claims.filter((claim) => claim.status === status).length, word] as const);
  return parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`).join(", ");
}

function groupBy(claims: Claim[], key: (claim: Claim) => string): Array<[string, Claim[]]> {
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    const group = groups.get(key(claim));
    if (group) group.push(claim);
    else groups.set(key(claim), [claim]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

const RANK: Record<Status, number> = { violated: 0, unknown: 1, holds: 2 };

/** The claims by function and property; in each group the violated ones first. */
export function tree(verified: Verified): Group[] {
  return groupBy(verified.claims, (claim) => claim.function).map(([name, ofFunction]) => ({
    label: name,
    counts: counts(ofFunction),
    children: groupBy(ofFunction, (claim) => claim.property).map(([property, claims]) => ({
      label: property,
      counts: counts(claims),
      children: [...claims].sort((a, b) => RANK[a.status] - RANK[b.status] || a.range.start.line - b.range.start.line),
    })),
  }));
}

export function isGroup(node: Group | Claim): node is Group {
  return "children" in node;
}

/** The settings as the server wants them. */
export function serverSettings(get: (key: string) => unknown, trusted: boolean): Record<string, unknown> {
  const unwind = get("unwind");
  return {
    trusted,
    verifyOnSave: get("verifyOnSave"),
    timeout: get("timeout"),
    showSafe: get("showSafe"),
    unwind: typeof unwind === "number" && unwind > 0 ? unwind : null,
    property: get("property") || null,
  };
}
