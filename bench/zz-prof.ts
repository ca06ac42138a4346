import { openAnalyticsDatabase } from "./analytics-database.ts";
import { Session } from "node:inspector/promises";
import pg from "pg";
import { pgCpu } from "./zz-cpu.ts";
const [clicks, days, rounds] = process.argv.slice(2, 5).map(Number);
const db = await openAnalyticsDatabase(clicks!, { days: days!, packed: true });
const asks: Record<string, () => Promise<unknown>> = {
  "30d": () => db.core.caller(db.actor).analytics.overview({ period: "30d" }),
  two: () =>
    db.core.caller(db.actor).analytics.overview({ period: "30d", continent: "EU", device: "mobile" }),
  desktop: () => db.core.caller(db.actor).analytics.overview({ period: "30d", device: "desktop" }),
  link: () => db.core.caller(db.actor).analytics.link({ id: db.links[0] as string, period: "1y" }),
};
const ask = asks[process.argv[5] ?? "two"]!;
for (let i = 0; i < 3; i++) await ask();
// statement times
const orig = pg.Client.prototype.query as any;
const spent = new Map<string, number>();
let on = false;
(pg.Client.prototype as any).query = function (...a: any[]) {
  const r = orig.apply(this, a);
  if (on && r && typeof r.then === "function") {
    const s = performance.now();
    const k = (typeof a[0] === "string" ? a[0] : (a[0].text ?? a[0]?.constructor?.name ?? "?"))
      .replace(/\s+/g, " ")
      .slice(0, 90);
    r.then(() => spent.set(k, (spent.get(k) ?? 0) + performance.now() - s));
  } else if (on) {
    const k = "stream " + a[0]?.constructor?.name + String(a[0]?.text ?? "").slice(0, 60);
    const s = performance.now();
    a[0].on?.("end", () => spent.set(k, (spent.get(k) ?? 0) + performance.now() - s));
  }
  return r;
};
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });
await session.post("Profiler.start");
on = true;
const times: number[] = [];
const c0 = process.cpuUsage(),
  p0 = pgCpu();
for (let i = 0; i < rounds!; i++) {
  const s = performance.now();
  await ask();
  times.push(performance.now() - s);
}
on = false;
const c1 = process.cpuUsage(c0);
console.log(
  "cpu ms each: node",
  ((c1.user + c1.system) / 1000 / rounds!).toFixed(1),
  "pg",
  ((pgCpu() - p0) / rounds!).toFixed(1),
);
const { profile } = await session.post("Profiler.stop");
times.sort((a, b) => a - b);
console.log("median", times[times.length >> 1]!.toFixed(1), "best", times[0]!.toFixed(1));
for (const [k, v] of [...spent].sort((a, b) => b[1] - a[1]).slice(0, 16))
  console.log((v / rounds!).toFixed(2).padStart(8), k);
const self = new Map<string, number>();
const byId = new Map(profile.nodes.map((n) => [n.id, n]));
for (let i = 0; i < profile.samples!.length; i++) {
  const n = byId.get(profile.samples![i]!)!;
  const k = `${n.callFrame.functionName} ${n.callFrame.url.split("/").slice(-2).join("/")}:${n.callFrame.lineNumber + 1}`;
  self.set(k, (self.get(k) ?? 0) + profile.timeDeltas![i]! / 1000);
}
for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 22))
  console.log((v / rounds!).toFixed(2).padStart(8), k);
await db.close();
