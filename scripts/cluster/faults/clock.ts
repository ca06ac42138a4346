import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

/** Debian's libfaketime, for programs with threads */
const library = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;

export const clock: Fault = {
  name: "clock",
  what: "a node whose clock is three hours ahead",
  async run({ nodes }) {
    if (!existsSync(library)) throw new Error(`${library} is missing: on Debian apt-get install libfaketime`);
    const { part } = nodes[3];
    await part.stop();
    const { env } = part;
    const ahead = { LD_PRELOAD: library, FAKETIME: "+3h", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
    part.start({ env: { ...env, ...ahead } });
    await sleep(15_000);
    await part.stop();
    part.start({ env });
  },
};
