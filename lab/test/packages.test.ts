import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appRouter, definitionOf, proceduresOf } from "@terse/core";
import { createTestCore } from "@terse/core/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pnpm, root } from "../../scripts/pnpm.ts";

/** Packs a package, installs it in a new folder that is removed after the tests, and returns the folder. */
function installed(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "terse-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  pnpm(["--dir", `packages/${name}`, "pack", "--pack-destination", folder]);
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${tarball}`], { cwd: folder });
  return folder;
}

it("@terse/cli, packed, is a program and a manual page that need nothing else", () => {
  const folder = installed("cli");
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "@terse",
  ]);
  const help = execFileSync(join(folder, "node_modules/.bin/terse"), ["--help"], { encoding: "utf8" });
  expect(help).toContain("terse COMMAND --help");
  expect(readFileSync(join(folder, "node_modules/@terse/cli/dist/terse.1"), "utf8")).toMatch(
    /^\.TH TERSE 1 /,
  );
});

it("@terse/client, packed, compiles strictly for browsers and, with its README, for Node", () => {
  const folder = installed("client");
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "@terse",
  ]);
  const examples = readFileSync(join(root, "packages/client/README.md"), "utf8").matchAll(
    /```ts\n([^]*?)```/g,
  );
  writeFileSync(join(folder, "readme.ts"), Array.from(examples, ([, example]) => example).join("\n"));
  writeFileSync(
    join(folder, "page.ts"),
    'import { createClient } from "@terse/client";\nexport const { links } = createClient({ baseUrl: "" });\n',
  );
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--module", "nodenext"];
  const tsc = (...args: string[]) =>
    execFileSync(join(root, "node_modules/.bin/tsc"), [...strict, ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  const types = join(root, "node_modules/@types");
  expect(tsc("--target", "es2024", "--lib", "es2024,dom", "page.ts")).toBe("");
  expect(
    tsc("--target", "es2024", "--lib", "es2024", "--types", "node", "--typeRoots", types, "readme.ts"),
  ).toBe("");
});

it("@terse/importers, packed, needs nothing else, compiles strictly for browsers and reads what its README shows", () => {
  const folder = installed("importers");
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "@terse",
  ]);
  const readme = readFileSync(join(root, "packages/importers/README.md"), "utf8");
  const [, example = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  writeFileSync(join(folder, "readme.ts"), example);
  writeFileSync(
    join(folder, "page.ts"),
    'import { csvRow } from "@terse/importers/csv";\nimport { withHttps } from "@terse/importers/text";\nexport const row = csvRow([withHttps("example.com")]);\n',
  );
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--module", "nodenext"];
  const browser = ["--target", "es2024", "--lib", "es2024,dom", "page.ts", "readme.ts"];
  execFileSync(join(root, "node_modules/.bin/tsc"), [...strict, ...browser], {
    cwd: folder,
    stdio: "inherit",
  });
  expect(execFileSync(process.execPath, ["readme.ts"], { cwd: folder, encoding: "utf8" })).toBe(
    "2 https://example.com/ autumn undefined\nBitly []\n",
  );
});

function* describedFields(schema: object): Generator<[name: string, description: string]> {
  if ("element" in schema) yield* describedFields(schema.element as object);
  if ("type" in schema && schema.type === "nullable" && "unwrap" in schema)
    yield* describedFields((schema.unwrap as () => object)());
  if (!("shape" in schema)) return;
  for (const [name, field] of Object.entries(schema.shape as Record<string, { description?: string }>)) {
    if (field.description !== undefined) yield [name, field.description];
    yield* describedFields(field);
  }
}

// The gate has the lint rules that keep the types of the database out of public ones.
describe("@terse/core, packed and installed outside the checkout", () => {
  let folder: string;
  const run = (command: string, args: string[], env: Record<string, string> = {}, cwd = folder) =>
    execFileSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "terse-example-"));
    cpSync(join(root, "examples/shortening-service"), folder, { recursive: true });
    for (const name of ["importers", "core"])
      pnpm(["pack", "--pack-destination", folder], join(root, "packages", name));
    const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    run("npm", [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      ...tarballs.map((name) => `./${name}`),
    ]);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("shortens, redirects and counts from plain JavaScript", async () => {
    const { databaseUrl, close } = await createTestCore();
    const output = run("node", ["service.js"], { DATABASE_URL: databaseUrl });
    expect(JSON.parse(output)).toEqual({ location: "https://example.com/autumn", click_count: 1 });
    await close();
  });

  it("shows in an editor what the fields of its objects mean, as the OpenAPI document does", () => {
    const types = join(folder, "node_modules/@terse/core/dist");
    const text = readdirSync(types, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".schema.d.ts"))
      .map((path) => readFileSync(join(types, path), "utf8"))
      .join("\n");
    const commented = new Set(
      (text.match(/\/\*\* .* \*\/\n +\w+/g) ?? []).map((match) => match.replaceAll(/\s+/g, " ")),
    );
    const outputs = proceduresOf(appRouter).map(([, procedure]) => definitionOf(procedure).output);
    const named = outputs.filter((output) => output.meta()?.["id"] !== undefined);
    const expected = named.flatMap((schema) => [...describedFields(schema)]);
    expect(expected.length).toBeGreaterThan(100);
    for (const [name, description] of expected) expect(commented).toContain(`/** ${description} */ ${name}`);
  });

  it("compiles the example of its README", () => {
    const readme = readFileSync(join(root, "packages/core/README.md"), "utf8");
    const [, example] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    writeFileSync(join(folder, "readme.ts"), example ?? "");
    writeFileSync(
      join(folder, "tsconfig.readme.json"),
      '{ "extends": "./tsconfig.json", "files": ["readme.ts"] }',
    );
    const files = run(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.readme.json", "--listFiles"]);
    expect(files).toContain("readme.ts");
  });

  it("compiles from TypeScript without skipLibCheck and without the types of the database libraries", () => {
    const files = run(join(root, "node_modules/.bin/tsc"), ["-p", ".", "--listFiles"]);
    expect(files).toContain("@terse/core/dist/index.d.ts");
    expect(files).not.toMatch(/mikro-orm|node_modules\/pg\//);
  });
});
