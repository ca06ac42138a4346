import type { Base } from "../../db/base.ts";
import type { Source } from "../../kernel/context.ts";
import { coreEvent } from "../../kernel/events.ts";
import { clientOf } from "./client.ts";

/** Milliseconds between two reports */
const pauseMs = 1000;

/** Reports refused credentials that belong to no account. */
export interface Refusals {
  report(
    credential: "key" | "token" | "session" | "sign-in" | "sign-in link",
    reason: string,
    source?: Source,
  ): void;
}

/**
 * A flood of refusals must not become a flood of log lines: each process reports one a second, with the number of those
 * since the last report.
 */
export function createRefusals({ onEvent, clock }: Pick<Base, "onEvent" | "clock">): Refusals {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    report(credential, reason, source) {
      count += 1;
      const now = clock().getTime();
      if (now - reportedAt < pauseMs) return;
      const { network: address, client } = clientOf(source);
      onEvent(coreEvent("credential_refused", { refused: credential, reason, count, address, client }));
      reportedAt = now;
      count = 0;
    },
  };
}
