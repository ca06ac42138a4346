import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isProviderSecret } from "./oauth.ts";
import { settingTable, type Setting } from "./table.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const suffix = "_FILE";

/**
 * Returns the environment with the secrets that are in files: `DATABASE_URL_FILE` names a file with the value of
 * `DATABASE_URL`, as container platforms provide them. White space around the value is ignored.
 *
 * @param root the base of relative paths
 * @returns also one line for each file that cannot be used
 */
export function readSecretFiles(
  env: Environment,
  root: string,
): { env: Environment; problems: readonly string[] } {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const [variable, file] of Object.entries(env)) {
    const name = variable.endsWith(suffix) ? variable.slice(0, -suffix.length) : "";
    if (!file || !isSecret(name)) continue;
    if (env[name]) {
      problems.push(`${name} and ${variable} are both set: unset one of them`);
      continue;
    }
    try {
      const value = readFileSync(resolve(root, file), "utf8").trim();
      if (value === "") problems.push(`${variable} is ${JSON.stringify(file)}: the file is empty`);
      else secrets[name] = value;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${variable} is ${JSON.stringify(file)}: the file cannot be read (${code})`);
    }
  }
  return { env: { ...env, ...secrets }, problems };
}

const isSecret = (name: string): boolean =>
  isProviderSecret(name) ||
  (Object.hasOwn(settingTable, name) && Boolean((settingTable as Record<string, Setting>)[name]?.secret));
