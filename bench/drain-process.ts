import { once } from "node:events";
import { createCore } from "@terse/core";

/** The drain of one node. It begins when it is told to, and answers how many clicks it counted, and its CPU. */
const [databaseUrl = "", folder = ""] = process.argv.slice(2);

const core = await createCore({
  databaseUrl,
  shortBase: "http://short.test",
  clickLog: { folder, writes: false },
});
process.send?.("ready");
await once(process, "message");
const begun = process.cpuUsage();
const clicks = await core.clicks.drain();
const { user, system } = process.cpuUsage(begun);
process.send?.({ clicks, cpu: (user + system) / 1e6 });
await core.close();
process.disconnect();
