/**
 * Waits until `condition` returns true, and throws after `limitMs`. Time in which the whole process was suspended does not
 * count.
 */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  let end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Still false after ${limitMs} ms: ${String(condition)}`);
    const [from, used] = [performance.now(), process.cpuUsage()];
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { user, system } = process.cpuUsage(used);
    end += Math.max(0, performance.now() - from - 50 - (user + system) / 1000);
  }
}
