import { setTimeout as sleep } from "node:timers/promises";
import { libfaketime } from "../programs.ts";
import type { Fault } from "../trial.ts";

export const clock: Fault = {
  name: "clock",
  what: "a node whose clock is three hours ahead",
  needs: [libfaketime],
  async run({ nodes }) {
    const { part } = nodes[3];
    await part.stop();
    const { env } = part;
    const ahead = { LD_PRELOAD: libfaketime, FAKETIME: "+3h", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
    part.start({ env: { ...env, ...ahead } });
    await sleep(15_000);
    await part.stop();
    part.start({ env });
  },
};
