import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { references } from "../../apps/http/src/docs/reference.ts";
import { root } from "../pnpm.ts";

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && !/CHANGELOG|^\.github/.test(file) && existsSync(join(root, file)));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const scriptsOf = (folder: string) =>
  Object.keys((JSON.parse(read(join(folder, "package.json"))) as { scripts: object }).scripts);

/** The anchors of a file's headings, as GitHub makes them */
const anchorsOf = (file: string) =>
  Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-"),
  );

/** What is not in a block of code */
const proseOf = (file: string) => read(file).replaceAll(/^ *```[^]*?^ *```$/gm, "");

describe.each(files)("%s", (file) => {
  it("has links that lead somewhere", () => {
    for (const [, address = ""] of proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      const page = /^http:\/\/localhost:3000\/docs\/(\w+)$/.exec(address)?.[1];
      if (page !== undefined) expect(Object.keys(references), address).toContain(page);
      if (/^https?:/.test(address)) continue;
      const [path = "", anchor] = address.split("#");
      const target = path === "" ? file : join(dirname(file), path);
      expect([address, existsSync(join(root, target))]).toEqual([address, true]);
      if (anchor !== undefined) expect(anchorsOf(target), address).toContain(anchor);
    }
  });

  it("names scripts that exist", () => {
    const text = read(file);
    // Documents about measurements name the folder once.
    const own =
      text.includes("lab/") || file.startsWith("lab/")
        ? [...scriptsOf("."), ...scriptsOf("lab")]
        : scriptsOf(".");
    for (const [, inLab, script = ""] of text.matchAll(
      /npm (--prefix lab )?run (?:--silent )?([a-z][\w:-]*)/g,
    ))
      expect(inLab === undefined ? own : scriptsOf("lab")).toContain(script);
  });
});
