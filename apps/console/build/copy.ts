import { existsSync } from "node:fs";
import { chmod, cp, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { commands } from "@terse/server";

const decompress = promisify(brotliDecompress);
const compressedPage = /\.html\.br$/;

/** Writes the built console into a folder, for a build of the service: of each file only the compressed form, if it has one. */
export async function copyConsole(to: string): Promise<void> {
  const { filesIn, withConsole, writeCompressed } = await import("./build.ts");
  await withConsole((folder) =>
    cp(folder, to, { recursive: true, filter: (file) => !existsSync(`${file}.br`) }),
  );
  // The sign-in names the admin command, which is another one in a build.
  for (const file of (await filesIn(to)).filter((name) => compressedPage.test(name))) {
    const page = (await decompress(await readFile(file))).toString();
    const own = page.replace(commands.checkout.admin, commands.build.admin);
    await writeCompressed(file.replace(/\.br$/, ""), Buffer.from(own));
  }
  // A folder that has just been built is closed to other users.
  await chmod(to, 0o755);
}
