import { createCore } from "@terse/core";

/** The drain of one node. It counts whenever it is told to, and answers how many clicks it counted, and its CPU. */
const [databaseUrl = "", folder = ""] = process.argv.slice(2);

const core = await createCore({
  databaseUrl,
  shortBase: "http://short.test",
  clickLog: { folder, writes: false },
});
process.on("message", (message) => void (message === "end" ? end() : count()));

async function end(): Promise<void> {
  await core.close();
  process.disconnect();
}

async function count(): Promise<void> {
  const begun = process.cpuUsage();
  const clicks = await core.clicks.drain();
  const { user, system } = process.cpuUsage(begun);
  process.send?.({ clicks, cpu: (user + system) / 1e6 });
}

process.send?.("ready");
