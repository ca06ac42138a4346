import { FairQueue } from "../../kernel/async/fair-queue.ts";
import { lastingThread, threadFile } from "../../kernel/async/in-thread.ts";
import type { Account, Reply } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { processLimits } from "../../rpc/limits/limits.ts";
import type { Logo } from "./logo.types.ts";
import { qrPng } from "./png.ts";
import { isPlainLook, type QrOptions } from "./svg.ts";

/** The largest code takes a fraction of a second on a quiet machine. */
const inThread = lastingThread(threadFile("draw.worker", import.meta.url), { maxMs: 10_000, maxMb: 128 });

/** A process draws one code at a time, since each takes a core; accounts take turns. */
const queue = new FairQueue({
  atOnce: 1,
  maxWaiting: 64,
  refusal: () => tooMany("Too many QR codes are being drawn; try again shortly"),
});
const tooMany = (message: string) => new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 });

/**
 * Draws a code of any look as a PNG image; one that has not only squares in a thread of its own. Null if its size has less than one
 * pixel per module.
 * @throws {AppError} 429 if the account asks for too many, 503 if too many codes wait to be drawn
 */
export async function drawPng(
  { account, reply }: { account: Account; reply: Reply },
  text: string,
  look: QrOptions,
): Promise<Buffer | null> {
  if (isPlainLook(look)) return qrPng(text, look);
  await processLimits.take("qr-codes", account.id, reply);
  const { png } = await inTurn(account.id, { kind: "png", text, look });
  return png && Buffer.from(png);
}

/**
 * Whether scanners read codes of these texts with a logo, found out in a thread of its own.
 * @throws {AppError} 503 as above
 */
export async function areDecodable(
  accountId: string,
  texts: readonly string[],
  logo: Logo,
): Promise<boolean> {
  return (await inTurn(accountId, { kind: "isDecodable", texts, logo })).isDecodable;
}

async function inTurn<Kind extends DrawingTask["kind"]>(
  accountId: string,
  task: DrawingTask & { kind: Kind },
): Promise<Drawings[Kind]> {
  const answer = await queue.run([{ key: accountId, weight: 1 }], () => inThread<Drawings[Kind]>(task));
  if (answer === null) throw tooMany("The QR code could not be drawn in time; try again shortly");
  return answer;
}

/** What the thread that draws codes is asked. */
export type DrawingTask =
  | { kind: "png"; text: string; look: QrOptions }
  | { kind: "isDecodable"; texts: readonly string[]; logo: Logo };

/** Its answers. `png` is null if the size has less than one pixel per module. */
export interface Drawings {
  png: { png: Uint8Array | null };
  isDecodable: { isDecodable: boolean };
}
