import type { LinkDeps } from "../../links/call.ts";
import type { Database } from "../../db/statements.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import { signatureOf } from "./secret.ts";
import type { Delivery } from "./webhook.schema.ts";

/** The fields of a webhook that a delivery needs. */
export interface Receiver {
  id: string;
  url: string;
  secret: Uint8Array;
  old_secret?: Uint8Array | null | undefined;
  /** Until when deliveries are signed with the old secret too */
  old_secret_until?: Date | string | null | undefined;
}

/** Milliseconds for one delivery */
const timeoutMs = 10_000;
/** Bytes of an answer that are read, and characters of it that are kept */
const maxAnswerBytes = 4096;
const maxAnswerLength = 1000;

/** An event to send. */
interface Attempt {
  /** The event's id */
  id: string;
  type: Delivery["event"];
  body: string;
  /** 1 for the first */
  attempt: number;
}

type DeliveryDeps = Pick<LinkDeps, "baseUrl" | "clock" | "newId" | "outbound" | "tracer">;

/** Sends an event once. Throws an OutboundError only if `signal` ended it. */
export async function deliver(
  deps: DeliveryDeps,
  receiver: Receiver,
  { id: event_id, type, body, attempt: count }: Attempt,
  signal?: AbortSignal,
): Promise<Delivery> {
  const now = deps.clock();
  const begun = performance.now();
  const span = { kind: "client", attributes: { "terse.event": type, "terse.attempt": count } } as const;
  const result = await deps.tracer.span("webhooks.deliver", span, async (shown) => {
    const answer = await send(deps, receiver, { id: event_id, body, now }, signal);
    if (answer.status !== null) shown?.set({ "http.response.status_code": answer.status });
    if (!isSuccess(answer.status)) shown?.fail(String(answer.status ?? "no_answer"));
    return answer;
  });
  return {
    id: deps.newId(),
    event_id,
    event: type,
    at: now.toISOString(),
    attempt: count,
    ok: isSuccess(result.status),
    duration_ms: Math.round(performance.now() - begun),
    ...result,
  };
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;

async function send(
  deps: DeliveryDeps,
  { url, secret, old_secret, old_secret_until }: Receiver,
  { id, body, now }: { id: string; body: string; now: Date },
  signal: AbortSignal | undefined,
): Promise<Pick<Delivery, "status" | "failure" | "answer">> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const isOldValid = old_secret_until != null && new Date(old_secret_until) > now;
  const secrets = old_secret && isOldValid ? [secret, old_secret] : [secret];
  try {
    const answer = await deps.outbound.send(new URL(url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `Terse-Webhooks (+${deps.baseUrl})`,
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatureOf({ id, timestamp, body }, secrets),
        ...deps.tracer.headers(),
      },
      body,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      signal,
    });
    return { status: answer.status, failure: null, answer: shortened(answer.body) };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === "stopped") throw error;
    return { status: null, failure: error.message, answer: null };
  }
}

/** Text that PostgreSQL can store. */
const shortened = (text: string): string =>
  text.replaceAll("\0", "").slice(0, maxAnswerLength).toWellFormed();

/** Records the outcome of a delivery. The webhook may have been deleted in the meantime. */
export async function record(database: Database, webhookId: string, delivery: Delivery): Promise<void> {
  const { id, event_id, event, at, attempt: count, ok, status, duration_ms, failure, answer } = delivery;
  await database.query({
    name: "record-delivery",
    text: `insert into webhook_deliveries (id, webhook_id, event_id, type, at, attempt, ok, status, duration_ms, failure, answer)
           select $1, id, $3, $4, $5, $6, $7, $8, $9, $10, $11 from webhooks where id = $2`,
    values: [id, webhookId, event_id, event, at, count, ok, status, duration_ms, failure, answer],
  });
}

/** The body of a delivery, in the form that the Standard Webhooks specification recommends. */
export const messageOf = (type: Delivery["event"], at: Date, data: unknown): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
