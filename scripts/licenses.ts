import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isAllowed } from "./licenses/allowed.ts";
import { pnpm, root } from "./pnpm.ts";

const usage = `Usage: node scripts/licenses.ts [FOLDER]

Lists the licences of all packages that the service needs to run, and fails if one is not permissive.

Arguments:
  FOLDER      an installed pnpm workspace (default: this repository)

Options:
  -h, --help  show this help

Exit code 0: every licence is allowed. Exit code 1: at least one is not.`;

const { values, positionals } = parseArgs({
  options: { help: { type: "boolean", short: "h" } },
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

type Report = Record<string, { name: string; versions: string[] }[]>;
const folder = resolve(positionals[0] ?? root);
const report = JSON.parse(pnpm(["licenses", "list", "--recursive", "--prod", "--json"], folder)) as Report;

const licenses = Object.entries(report)
  .map(([license, packages]) => ({
    license,
    packages: packages.flatMap(({ name, versions }) => versions.map((version) => `${name}@${version}`)),
  }))
  .toSorted((a, b) => b.packages.length - a.packages.length);
for (const { license, packages } of licenses) {
  console.log(`${license} (${packages.length})\n  ${packages.toSorted().join("\n  ")}`);
}

const refused = licenses.filter(({ license }) => !isAllowed(license));
for (const { license, packages } of refused) {
  console.error(`The licence ${license} is not allowed: ${packages.join(", ")}`);
}
if (refused.length > 0) process.exit(1);
