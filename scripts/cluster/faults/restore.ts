import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { three } from "../addresses.ts";
import type { Fault } from "../trial.ts";

export const restore: Fault = {
  name: "restore",
  what: "a backup, more visits, then everything is stopped and restored from it",
  mayFailRedirects: "the service is stopped",
  async run({ folder, nodes }, load) {
    // What people create after a backup is lost with a restore, as documented; their clicks are not.
    load.stopAuthors();
    await sleep(1000);
    const file = join(folder, "backup.terse");
    await nodes[1].admin("backup", file);
    await sleep(5000);
    await Promise.all(three.map((number) => nodes[number].part.stop()));
    await nodes[1].admin("restore", "--force", file);
    for (const number of three) nodes[number].part.start();
  },
};
