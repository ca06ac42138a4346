import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../scripts/pnpm.ts";

/** Client generators that people use, what they are told, and the names that their clients must have. */
const generators = [
  {
    name: "openapi-typescript",
    packages: ["openapi-typescript@7.13.0", "typescript@5.9.3"],
    commands: [["openapi-typescript", "openapi.json", "--output", "client/index.ts"]],
    program: `import type { components, operations, paths } from "./client/index.js";
export type Create = operations["links.create"]["requestBody"]["content"]["application/json"];
export const link = (each: components["schemas"]["Link"]): string => each.shortUrl;
export type List = paths["/v1/links"]["get"];
`,
  },
  {
    name: "@hey-api/openapi-ts",
    packages: ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"],
    commands: [["openapi-ts", "--input", "openapi.json", "--output", "client"]],
    program: `import { linksCreate, linksList, type Link } from "./client/index.js";
export const create = async (): Promise<Link | undefined> =>
  (await linksCreate({ body: { url: "https://example.com/" } })).data?.data;
export const all = () => linksList({ query: { search: "a" } });
`,
  },
  {
    name: "orval",
    packages: ["orval@8.38.0", "typescript@5.9.3"],
    commands: [["orval", "--input", "openapi.json", "--output", "client/index.ts", "--client", "fetch"]],
    program: `import { linksCreate, linksList, type Link } from "./client/index.js";
export const create = () => linksCreate({ url: "https://example.com/" });
export const all = () => linksList({ search: "a" });
export const shortUrl = (link: Link): string => link.shortUrl;
`,
  },
];

it.each(generators)(
  "the client that $name generates compiles strictly, and has the names that a person would choose",
  { timeout: 300_000 },
  ({ packages, commands, program }) => {
    const folder = mkdtempSync(join(tmpdir(), "terse-generator-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const run = (command: string, args: string[]) =>
      execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    copyFileSync(join(root, "docs/openapi.json"), join(folder, "openapi.json"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", ...packages]);
    for (const [command = "", ...args] of commands) run(join(folder, "node_modules/.bin", command), args);
    writeFileSync(join(folder, "program.ts"), program);
    const options =
      "--strict --noEmit --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler";
    expect(run(join(folder, "node_modules/.bin/tsc"), [...options.split(" "), "program.ts"])).toBe("");
  },
);
