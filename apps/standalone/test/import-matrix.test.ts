import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addDomain, depsOf } from "../../../packages/core/test/helpers.ts";
import { startService } from "../../../packages/client/test/service.ts";
import { doorsOf, type FileOptions, type FileOutcome, type RowOutcome } from "./import-doors.ts";
import recorded from "./import-expected.json" with { type: "json" };

/** What becomes of each file of `import-files`, whatever way it comes in. A reason is a part of its sentence. */
interface Expected extends FileOptions {
  /** Another name for a file that is imported twice */
  as?: string;
  file: string;
  /** Why the whole file is refused */
  refusal?: string;
  rows?: Record<number, RowOutcome>;
}
const expected = recorded as unknown as Expected[];

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

/** Generated slugs are others each time. */
const comparable = (outcome: object): unknown =>
  JSON.parse(JSON.stringify(outcome), (name, value: unknown) =>
    name === "slug" && /^\w{7}$/.test(String(value)) ? "(generated)" : value,
  );

it.each(expected.map((each) => [each.as ?? each.file, each] as const))(
  "%s has one result, whatever way it comes in",
  async (_, { file, columns, domain, refusal, rows }) => {
    const options = { ...(columns && { columns }), ...(domain && { domain }) };
    const outcomes = new Map<string, FileOutcome>();
    for (const [name, door] of Object.entries(await newDoors()))
      outcomes.set(name, await door(join(folder, file), options));
    const result = outcomes.get("REST")!;
    const found = comparable(result);
    for (const [name, outcome] of outcomes) {
      const wanted = name.includes("dry run") ? dryRunOf(result) : result;
      expect([name, comparable(outcome)]).toEqual([name, comparable(wanted)]);
    }
    if (refusal !== undefined) expect(found).toEqual({ refusal: expect.stringContaining(refusal) });
    else
      expect(found).toEqual({
        rows: Object.fromEntries(
          Object.entries(comparable(rows ?? {}) as object).map(([row, each]) => [
            row,
            typeof each === "string" ? expect.stringContaining(each) : each,
          ]),
        ),
      });
  },
);

it("has an expectation for each file", () => {
  expect([...new Set(expected.map(({ file }) => file))].toSorted()).toEqual(readdirSync(folder).toSorted());
});
