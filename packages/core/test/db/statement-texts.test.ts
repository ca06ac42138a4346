import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { clickOn } from "../helpers.ts";
import { startPrimary } from "./cluster.ts";

/** Stands in everything that a user writes here */
const marker = "zqxmarker";

/** Reads a file to its end. */
async function read({ body }: FileReply): Promise<number> {
  let length = 0;
  for await (const piece of body) length += piece.length;
  return length;
}

it("no statement contains what a user wrote: all values are parameters", {
  timeout: 120_000,
}, async () => {
  const server = await startPrimary({
    shared_preload_libraries: "pg_stat_statements",
    logging_collector: "on",
    log_directory: "log",
    log_filename: "statements.log",
    log_statement: "all",
    // The text of each statement, without its parameters.
    log_parameter_max_length: "0",
    log_parameter_max_length_on_error: "0",
  });
  await server.query("create extension pg_stat_statements");
  const { core, actor, close } = await createTestCore({ databaseUrl: server.url, healthChecks: "daily" });
  onTestFinished(close);
  await core.migrate();
  const { links, tags, buckets, analytics } = core.caller(await actor("enterprise"));

  const url = `https://example.com/${marker}`;
  const fields = { title: `Title ${marker}`, tags: [`Tag ${marker}`], notes: `Notes ${marker}` };
  const { id } = await links.create({ url, slug: marker, ...fields });
  await links.update({ id, title: `Another ${marker}` });
  await links.bulkCreate({
    links: [
      { url, ...fields },
      { url, slug: `${marker}-2` },
    ],
    on_error: "stop",
  });
  await buckets.create({ name: marker, description: marker, links: [{ title: marker, url }] });
  const campaign = `utm_source=${marker}&utm_medium=${marker}\n`;
  for (const more of [{ campaign }, { referrer: `https://${marker}.example.com/` }])
    await core.clicks.record(clickOn(id, more));

  const log = async () => (await readFile(join(server.data, "log", "statements.log"), "utf8")).split("\n");
  const filters = [
    { search: marker },
    { search: `http://short.test/${marker}` },
    { search: `${"x".repeat(60)}${marker}` },
    { search: marker, tag: [`Tag ${marker}`], health: "ok" as const },
    {
      search: marker,
      state: "active" as const,
      created_from: "2026-01-01T00:00:00Z",
      last_click_before: "2026-02-01T00:00:00Z",
    },
    { tag: `Other ${marker}` },
    { domain: `${marker}.example.com` },
  ];
  for (const filter of filters) {
    for (const sort of ["-created_at", "-click_count", "slug", "last_click_at", "-updated_at"] as const)
      await links.list({ ...filter, sort });
    await read((await links.export(filter)) as FileReply);
  }
  await tags.list();
  const questions = [
    { utm_source: marker },
    { referrer: `${marker}.example.com` },
    { tag: [`Tag ${marker}`, `!Other ${marker}`] },
    { domain: `${marker}.example.com` },
  ];
  for (const question of questions) {
    await analytics.overview(question);
    await read((await analytics.export({ ...question, format: "csv" })) as FileReply);
  }
  await links.bulkUpdate({
    filter: { search: marker },
    set: { title: `Third ${marker}` },
    add_tags: [`Other ${marker}`],
  });
  await links.bulkDelete({ filter: { search: marker } });

  const known = await server.query<{ query: string }>("select query from pg_stat_statements");
  expect(known.length).toBeGreaterThan(50);
  expect(known.filter(({ query }) => query.includes(marker))).toEqual([]);
  const lines = await log();
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => line.includes(marker))).toEqual([]);
});
