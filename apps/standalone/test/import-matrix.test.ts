import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addDomain, depsOf } from "../../../packages/core/test/helpers.ts";
import { startService } from "../../../packages/client/test/service.ts";
import { doorsOf, type FileOutcome, type RowOutcome } from "./import-doors.ts";
import { expected } from "./import-expected.ts";

const generated =
  "<!-- Written by import-matrix.test.ts with -u: what becomes of the files in import-files by each way in -->\n\n";
const folder = join(import.meta.dirname, "import-files");
const service = await startService();
await addDomain(service.core, (await service.account("pro")).id, "go.acme.example");

/** The doors for a new account, because one may import only so often a minute. The domain is its own. */
async function newDoors() {
  const { key, account } = await service.key("pro");
  await depsOf(service.core).pool.query("update domains set account_id = $1", [account.id]);
  return doorsOf(service, { key, email: account.email });
}

/** Without what a dry run cannot know: the links that it does not create. */
function dryRunOf(outcome: FileOutcome): FileOutcome {
  if ("refusal" in outcome) return outcome;
  const rows = Object.entries(outcome.rows).map(([row, each]) => [
    row,
    typeof each === "string" ? each : { status: each.status },
  ]);
  return { rows: Object.fromEntries(rows) as Record<number, RowOutcome> };
}

/** What became of each file by each door, in a few words. */
const matrix: string[][] = [];
function countsOf(outcome: FileOutcome): string {
  if ("refusal" in outcome) return "refused";
  const kinds = Object.values(outcome.rows).map((each) =>
    typeof each === "string" ? "refused" : each.status,
  );
  return ["created", "existing", "refused"]
    .map((kind) => [kinds.filter((each) => each === kind).length, kind] as const)
    .flatMap(([count, kind]) => (count > 0 ? `${count} ${kind}` : []))
    .join(", ");
}

/** Generated slugs are others each time. */
const comparable = (outcome: FileOutcome): unknown =>
  JSON.parse(JSON.stringify(outcome), (name, value: unknown) =>
    name === "slug" && /^\w{7}$/.test(String(value)) ? "(generated)" : value,
  );

it.each(expected.map((each) => [each.as ?? each.file, each] as const))(
  "%s has one result, whatever way it comes in",
  async (title, { file, columns, domain, refusal, rows }) => {
    const options = { ...(columns && { columns }), ...(domain && { domain }) };
    const outcomes = new Map<string, FileOutcome>();
    for (const [name, door] of Object.entries(await newDoors()))
      outcomes.set(name, await door(join(folder, file), options));
    matrix.push([title, ...[...outcomes.values()].map(countsOf)]);
    const result = outcomes.get("REST")!;
    for (const [name, outcome] of outcomes) {
      const wanted = name.includes("dry run") ? dryRunOf(result) : result;
      expect([name, comparable(outcome)]).toEqual([name, comparable(wanted)]);
    }
    if (refusal !== undefined) expect(result).toEqual({ refusal: expect.stringContaining(refusal) });
    else
      expect(result).toEqual({
        rows: Object.fromEntries(
          Object.entries(rows ?? {}).map(([row, each]) => [
            row,
            typeof each === "string" ? expect.stringContaining(each) : each,
          ]),
        ),
      });
  },
);

it("knows what becomes of each file, at least forty, and shows it in a table", async ({ skip }) => {
  const files = readdirSync(folder).toSorted();
  expect(files.length).toBeGreaterThanOrEqual(40);
  expect([...new Set(expected.map(({ file }) => file))].toSorted()).toEqual(files);
  skip(matrix.length < expected.length, "some of the files were not imported");
  const heading = ["File", ...Object.keys(doorsOf(service, { key: "", email: "" }))];
  const lines = [heading, heading.map(() => "---"), ...matrix].map((cells) => `| ${cells.join(" | ")} |\n`);
  await expect(`${generated}${lines.join("")}`).toMatchFileSnapshot("import-matrix.snapshot.md");
});
