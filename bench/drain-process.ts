import { once } from "node:events";
import { createCore } from "@terse/core";

/** The drain of one node. It begins when it is told to, and answers how many clicks it counted. */
const [databaseUrl = "", folder = ""] = process.argv.slice(2);

const core = await createCore({
  databaseUrl,
  shortBase: "http://short.test",
  clickLog: { folder, writes: false },
});
process.send?.("ready");
await once(process, "message");
process.send?.(await core.clicks.drain());
await core.close();
process.disconnect();
