import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { pnpm } from "./pnpm.ts";

const usage = `Usage: npm run --silent sbom [-- --output FILE]

Writes a software bill of materials: all packages that the service needs to run, with versions, licences and hashes,
as CycloneDX 1.6 in JSON. Run it on an installed checkout; it needs no network.

Options:
  -o, --output FILE  write to this file instead of standard output
  -h, --help         show this help`;

const { values } = parseArgs({
  options: { output: { type: "string", short: "o" }, help: { type: "boolean", short: "h" } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

interface Sbom {
  components: { "bom-ref": string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application"];
// The repository is the root component, and the service brings all that it depends on.
const projects = ["--filter", ".", "--filter", "@terse/standalone"];
const sbom = JSON.parse(pnpm(["sbom", "--prod", ...format, ...projects])) as Sbom;

// pnpm's order changes from run to run; sorted, two documents can be compared.
sbom.components.sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
sbom.dependencies.sort((a, b) => (a.ref < b.ref ? -1 : 1));
for (const { dependsOn } of sbom.dependencies) dependsOn?.sort();

const text = `${JSON.stringify(sbom, null, 2)}\n`;
if (values.output === undefined) process.stdout.write(text);
else writeFileSync(resolve(process.env["INIT_CWD"] ?? "", values.output), text);
