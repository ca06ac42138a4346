import { readFileSync, readdirSync } from "node:fs";
export function pgCpu(): number {
  // ms of all processes of this clone's cluster
  const master = readFileSync("/tmp/h/b24/.data/bench/postgres/cluster/postmaster.pid", "utf8").split(
    "\n",
  )[0];
  let t = 0;
  for (const p of readdirSync("/proc"))
    if (/^\d+$/.test(p))
      try {
        const s = readFileSync(`/proc/${p}/stat`, "utf8");
        const a = s.slice(s.lastIndexOf(")") + 2).split(" ");
        if (a[1] === master || p === master) t += Number(a[11]) + Number(a[12]);
      } catch {}
  return t * 10;
}
