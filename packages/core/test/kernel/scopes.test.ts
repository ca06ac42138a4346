import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scopes } from "../../src/kernel/names.ts";

it("docs/code.md says what each scope allows", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../docs/code.md"), "utf8");
  const [, table = ""] = /^\| Scope +\|[^\n]*\n([^]*?)\n\n/m.exec(text) ?? [];
  const documented = Array.from(table.matchAll(/^\| `([\w:]+)`/gm), ([, scope = ""]) => scope);
  expect(documented.toSorted()).toEqual([...scopes].toSorted());
});
