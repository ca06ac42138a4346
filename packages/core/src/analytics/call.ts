import type { Copy } from "../clicks/clickhouse/copy.ts";
import type { LiveFeed } from "./live/stream.ts";
import type { LinkDeps } from "../links/call.ts";
import type { AccountCall as AccountCallWith, Call as CallWith } from "../rpc/call.ts";
import { proceduresWith } from "../rpc/procedure.ts";

/** Dependencies of the procedures of analytics and of the rooms above. */
export interface AnalyticsDeps extends LinkDeps {
  /** Answers questions about raw clicks; null if the database does */
  readonly clickhouse: Copy | null;
  /** Bytes of this machine's click log that are not counted yet; null without one */
  readonly waitingBytes: () => Promise<number | null>;
  /** Streams of new clicks */
  readonly live: LiveFeed;
}

export type Call = CallWith<AnalyticsDeps>;
export type AccountCall = AccountCallWith<AnalyticsDeps>;
export const { publicProcedure, accountProcedure, recentlySignedIn, requires } =
  proceduresWith<AnalyticsDeps>();
