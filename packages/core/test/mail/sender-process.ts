import { createCore } from "../../src/index.ts";

/** Sends the mails of a database until it is killed. */
const [databaseUrl = "", mail = ""] = process.argv.slice(2);
const core = await createCore({
  databaseUrl,
  shortBase: "http://short.test",
  mail: JSON.parse(mail) as { url: string; from: string; ca: string },
});
core.mails.start();
setInterval(() => {}, 1000);
