/**
 * A process that follows a link, for tests that kill it. Each line on its standard input is a number of visits at once; for each
 * visit it prints "redirect" when the click is in its log, or what else the visit got. With "hold" it records no click.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRedirectCore } from "../../../src/redirect.ts";
import { clickOn } from "../../helpers.ts";

const [, , databaseUrl = "", folder = "", slug = "", mode = "follow"] = process.argv;
const core = await createRedirectCore({
  databaseUrl,
  shortBase: "http://short.test",
  clickLog: { folder, fsync: "off" },
});
core.redirects.watch();

async function visit(): Promise<void> {
  const decision = await core.redirects.resolve("short.test", slug, { country: () => null, id: () => "" });
  if (decision.kind === "redirect" && mode === "follow")
    await core.clicks.record(clickOn(decision.link_id, { counts_as: decision.counts_as }));
  writeSync(1, decision.kind === "gone" ? `${decision.reason}\n` : `${decision.kind}\n`);
}

for await (const line of createInterface(process.stdin)) {
  for (let left = Number(line); left > 0; left--) void visit().catch(() => writeSync(1, "error\n"));
}
await core.close();
