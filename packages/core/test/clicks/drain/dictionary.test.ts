import { afterAll, expect, it } from "vitest";
import { dictionaries, type Entry, openDictionary } from "../../../src/clicks/drain/prepare/value-ids.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf } from "../../helpers.ts";
import { number } from "./helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);
/** Opens a dictionary as another process does, and returns the function that finds the ids of entries. */
function open() {
  const dictionary = openDictionary(pool, dictionaries.referrers);
  return async (entries: readonly Omit<Entry, "id">[]) => {
    const found = entries.map((entry) => ({ ...entry, id: 0 }));
    await dictionary.findIds(found);
    return new Map(found.map(({ id }, at) => [entries[at], id]));
  };
}
const entries = (...texts: string[]) => texts.map((text) => ({ texts: [text], key: text }));
const all = (count: number) => entries(...Array.from({ length: count }, (_, at) => `site${at}.example`));

it("a dictionary gives an entry the same id in every process, whatever its text", async () => {
  const hostile = entries("", '"', "\\", "{a,b}", "null", "NULL", "a b", "ü", '\\"}');
  const [one, other] = [await open()(hostile), await open()(hostile.toReversed())];
  for (const entry of hostile) expect(one.get(entry)).toBe(other.get(entry));
  expect(new Set(one.values()).size).toBe(hostile.length);
  const { rows } = await pool.query<{ referrer: string }>("select referrer from click_referrers");
  expect(rows.map(({ referrer }) => referrer).toSorted()).toEqual(hostile.map(({ key }) => key).toSorted());
});

it("a dictionary gives the same ids to concurrent calls", async () => {
  const opened = Array.from({ length: 8 }, open);
  const wanted = all(200);
  const answers = await Promise.all(
    opened.map((dictionary, at) => dictionary(at % 2 ? wanted : wanted.toReversed())),
  );
  for (const entry of wanted) expect(new Set(answers.map((answer) => answer.get(entry))).size).toBe(1);
});

it("a dictionary takes no ids for existing entries, as ids would run out within days", async () => {
  await open()(all(500));
  const last = () => number(core, "select max(id) from click_referrers");
  const before = await last();
  for (let round = 0; round < 5; round++) await open()(all(500));
  await open()(entries("one.more.example"));
  expect(await last()).toBe(before + 1);
});

it("a dictionary writes what follows from a text, also where other rules gave another value", async () => {
  const [known, added] = ["old.example", "new.example"].map((text) => ({ texts: [text, "mail"], key: text }));
  if (!known || !added) throw new Error("no entries");
  const before = (await open()(entries("old.example"))).values().next().value;
  const ids = await open()([known, added]);
  expect(ids.get(known)).toBe(before);
  const { rows } = await pool.query(
    "select id, channel from click_referrers where channel <> '' order by id",
  );
  expect(rows).toEqual([known, added].map((entry) => ({ id: ids.get(entry), channel: "mail" })));
});

it("a dictionary is exact for more entries than it caches", async () => {
  const dictionary = open();
  const many = all(60_000);
  const first = await dictionary(many);
  const again = await dictionary(many.slice(0, 1000));
  for (const entry of many.slice(0, 1000)) expect(again.get(entry)).toBe(first.get(entry));
  expect(new Set(first.values()).size).toBe(60_000);
  expect(Math.min(...first.values())).toBeGreaterThan(0);
});
