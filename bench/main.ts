/** `npm run bench -- NAME`: measures one thing, where there is a baseline against it in the same run. */

const benches: Record<string, { about: string; run: () => Promise<void> }> = {
  create: {
    about: "links created over REST, against a bare script that inserts the same rows through pg",
    run: async () => (await import("./create.ts")).run(),
  },
  redirect: {
    about: "hot and Zipf-distributed redirects, against bare node:http and Hono",
    run: async () => (await import("./redirect.ts")).run(),
  },
  cold: {
    about: "links nobody has asked for yet, against a bare select",
    run: async () => (await import("./cold.ts")).run(),
  },
  clicks: {
    about: "draining clicks into the database with every rollup, against bare rows",
    run: async () => (await import("./clicks.ts")).run(),
  },
  analytics: {
    about:
      "analytics of a year of ten million clicks (or as many as the next word says), against fewer of them",
    run: async () => (await import("./analytics.ts")).run(),
  },
  memory: {
    about: "what cached links cost",
    run: async () => (await import("./memory.ts")).run(),
  },
  purge: {
    about: "how soon an edit is seen by another process, with and without load",
    run: async () => (await import("./purge.ts")).run(),
  },
};

const name = process.argv[2];
const bench = name === undefined ? undefined : benches[name];
if (bench) {
  await bench.run();
} else {
  console.log("Usage: npm run bench -- NAME\n");
  for (const [key, { about }] of Object.entries(benches)) console.log(`  ${key.padEnd(10)} ${about}`);
  process.exitCode = name === undefined || name === "--help" ? 0 : 1;
}
