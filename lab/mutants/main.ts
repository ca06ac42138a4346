import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyFault } from "./apply-fault.ts";
import { faults } from "./faults.ts";
import { createTestFolder } from "../../scripts/test-folder.ts";
import setup from "../../scripts/test-setup.ts";

/**
 * `npm --prefix lab run mutants`: puts one fault after the other into a copy of the checkout and runs the tests that have to
 * notice it. Exits with 1 if they do not. Arguments select faults whose names contain one of them.
 */

const root = join(import.meta.dirname, "../..");
const wanted = process.argv.slice(2);
const selected = faults.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);

const copy = mkdtempSync(join(tmpdir(), "terse-mutants-"));
const folder = createTestFolder();
process.env.DATA_DIR = folder;
const stopDatabase = await setup();
try {
  copyCheckout();
  const before = failureOf([...new Set(selected.flatMap(({ tests }) => tests))]);
  if (before !== null) throw new Error(`These tests fail without any fault: ${before}`);

  let survived = 0;
  for (const fault of selected) {
    const path = join(copy, fault.file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, applyFault(fault, source));
    const failure = failureOf(fault.tests);
    writeFileSync(path, source);
    if (failure === null) survived += 1;
    console.log(
      `${failure === null ? "✗ survived" : "✓ noticed"}  ${fault.name}${failure ? `\n           by ${failure}` : ""}`,
    );
  }
  console.log(`\n${selected.length - survived} of ${selected.length} faults were noticed`);
  process.exitCode = survived === 0 ? 0 : 1;
} finally {
  await stopDatabase();
  for (const made of [copy, folder]) rmSync(made, { recursive: true, force: true });
}

/** Copies what git knows or would add, changes that are not committed included, and installs it. */
function copyCheckout(): void {
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of new Set(stdout.split("\0").filter(Boolean)))
    cpSync(join(root, file), join(copy, file), { force: true });
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "setup"], { cwd: copy, encoding: "utf8" });
  if (status !== 0) throw new Error(`The copy could not be installed: ${stderr}`);
}

/** The name of a test that fails; null if all pass. Throws if the tests cannot run, which shows nothing. */
function failureOf(tests: readonly string[]): string | null {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const options = [
    "--config",
    "vitest.workspace.ts",
    "--bail=1",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  // That of the copy: npm puts the checkout's first on the path, and tests cannot use two of them.
  const vitest = join(copy, "node_modules/.bin/vitest");
  const { stderr } = spawnSync(vitest, ["run", ...options, ...tests], { cwd: copy, encoding: "utf8" });
  const { testResults } = readReport(report, stderr);
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed) return failed.fullName;
    if (assertionResults.length === 0) throw new Error(`${name} cannot run: ${message}`);
  }
  return null;
}

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

function readReport(path: string, stderr: string): Report {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch {
    throw new Error(`Vitest wrote no report: ${stderr}`);
  }
}
