import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";

/** Writes the built console into a folder, for a build of the service: of each file only the compressed form, if it has one. */
export async function copyConsole(to: string): Promise<void> {
  const { withConsole } = await import("./build.ts");
  await withConsole((folder) =>
    cp(folder, to, { recursive: true, filter: (file) => !existsSync(`${file}.br`) }),
  );
}
