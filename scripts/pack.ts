import { join } from "node:path";
import { pnpm, root } from "./pnpm.ts";

/** `npm run pack -- NAME…`: makes a file to install of each of these folders in packages/, in the root of the repository. */
for (const name of process.argv.slice(2))
  process.stdout.write(pnpm(["pack", "--pack-destination", root], join(root, "packages", name)));
