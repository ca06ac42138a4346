import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pnpm, root } from "../pnpm.ts";

type Report = Record<string, { name: string; versions: string[]; paths: string[] }[]>;

const isLicense = (name: string) => /^(?:licen[cs]e|copying|notice)/i.test(name);

/** The licences of all packages that the service needs to run: each text once, below the packages that come with it. */
export function thirdPartyLicenses(): string {
  const report = JSON.parse(pnpm(["licenses", "list", "--recursive", "--prod", "--json"], root)) as Report;
  const packages = Object.entries(report).flatMap(([license, all]) =>
    all.flatMap(({ name, versions, paths }) =>
      paths.map((path, at) => ({ title: `${name} ${versions[at] ?? ""} (${license})`, path })),
    ),
  );
  const byTexts = new Map<string, string[]>();
  for (const { title, path } of packages.toSorted((a, b) => (a.title < b.title ? -1 : 1))) {
    const texts = textsIn(path).join("\n\n");
    byTexts.set(texts, [...(byTexts.get(texts) ?? []), title]);
  }
  return [...byTexts]
    .map(([texts, titles]) => `${titles.join("\n")}\n\n${"=".repeat(80)}\n\n${texts}`)
    .join("\n\n\n");
}

const textsIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicense(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8").trim());
