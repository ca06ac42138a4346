import { spawnSync } from "node:child_process";

const said = new Set<string>();

/**
 * Says once that tests are left out.
 *
 * @throws if `isRequired`, which is what the gate installs, and REQUIRE_SERVICES=1 is set
 */
export function leaveOut(tests: string, reason: string, isRequired: boolean): void {
  if (isRequired && process.env.REQUIRE_SERVICES === "1")
    throw new Error(`REQUIRE_SERVICES=1, but there is ${reason}`);
  const text = `${tests} are left out: there is ${reason}\n`;
  if (!said.has(text)) process.stderr.write(text);
  said.add(text);
}

/** Whether a program is not on the PATH; its tests are then left out, as `leaveOut` says. */
export function isMissing(program: string, { isRequired = false, version = "--version" } = {}): boolean {
  if (spawnSync(program, [version]).error === undefined) return false;
  leaveOut(`Tests with ${program}`, `no ${program} on the PATH`, isRequired);
  return true;
}
