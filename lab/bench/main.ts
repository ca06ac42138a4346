/** `npm --prefix lab run bench -- NAME`: runs one benchmark, most of them against a baseline in the same run. */

const benches: Record<string, { about: string; run: () => Promise<void> }> = {
  create: {
    about: "link creation over REST, against a script that inserts the same rows through pg",
    run: async () => (await import("./create.ts")).run(),
  },
  bulk: {
    about: "creating many links at once, against one insert; redirects beside a job that changes 100,000",
    run: async () => (await import("./bulk.ts")).run(),
  },
  cost: {
    about: "the most expensive requests of each kind of caller, and redirects of others meanwhile",
    run: async () => (await import("./cost.ts")).run(),
  },
  redirect: {
    about: "redirects of one link and of Zipf-distributed links, against bare node:http and Hono",
    run: async () => (await import("./redirect.ts")).run(),
  },
  rules: {
    about: "redirects of a link with ten rules, against a plain link",
    run: async () => (await import("./rules.ts")).run(),
  },
  limited: {
    about: "redirects of a link with a click limit, against one with a rule and one update a visit",
    run: async () => (await import("./limited.ts")).run(),
  },
  stream: {
    about: "redirects whose clicks go to a stream, async and sync, against those without one",
    run: async () => (await import("./stream.ts")).run(),
  },
  cold: {
    about: "redirects of uncached links, against a plain select",
    run: async () => (await import("./cold.ts")).run(),
  },
  clicks: {
    about: "draining clicks into the database with all rollups, against inserting plain rows",
    run: async () => (await import("./clicks.ts")).run(),
  },
  drain: {
    about: "draining into a database with a hundred million clicks (or --clicks N), against a million",
    run: async () => (await import("./drain.ts")).run(),
  },
  analytics: {
    about: "analytics of a year with ten million clicks (or --clicks N, --days N), against fewer clicks",
    run: async () => (await import("./analytics.ts")).run(),
  },
  alerts: {
    about: "evaluating ten thousand alerts on ten thousand links",
    run: async () => (await import("./alerts.ts")).run(),
  },
  console: {
    about: "the console in Chromium, with 100,000 links and a million clicks",
    run: async () => (await import("./console.ts")).run(),
  },
  lists: {
    about: "lists of a million links (or --links N) with each filter and sort, against fewer links",
    run: async () => (await import("./lists.ts")).run(),
  },
  company: {
    about: "a workspace of 500 people from a directory and 50,000 imported links, against a small one",
    run: async () => (await import("./company.ts")).run(),
  },
  demotion: {
    about: "time until three nodes refuse a member who was demoted",
    run: async () => (await import("./demotion.ts")).run(),
  },
  start: {
    about: "time from the start of a built service to its first redirect, and its memory",
    run: async () => (await import("./start.ts")).run(),
  },
  memory: {
    about: "memory of cached links",
    run: async () => (await import("./memory.ts")).run(),
  },
  screening: {
    about: "memory and look-ups of a host list with a million names, against a Set of strings",
    run: async () => (await import("./screening.ts")).run(),
  },
  purge: {
    about: "time until another process sees an edit, with and without load",
    run: async () => (await import("./purge.ts")).run(),
  },
};

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`);
const usage = `Usage: npm --prefix lab run bench -- NAME [--clicks N | --links N | --only TEXT]

${list.join("\n")}

Results go to standard output, progress to standard error. wrk is required for redirect, rules, limited, stream, cold, memory and purge.

Exit code 0: the benchmark ran. Exit code 1: it failed, or clicks were not counted exactly. Exit code 2: unknown NAME.`;

const [name = "--help"] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) {
  await bench.run();
} else if (name === "--help" || name === "-h") {
  console.log(usage);
} else {
  console.error(`There is no benchmark ${JSON.stringify(name)}.\n\n${usage}`);
  process.exitCode = 2;
}
