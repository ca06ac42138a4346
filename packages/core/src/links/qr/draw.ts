import { FairQueue } from "../../concurrency/fair-queue.ts";
import { inThread, threadFile } from "../../concurrency/in-thread.ts";
import { AppError } from "../../kernel/errors.ts";
import type { DrawingTask, Drawings } from "./drawing.types.ts";
import type { Logo } from "./logo.types.ts";
import { qrPng } from "./png.ts";
import { isPlainLook, type QrOptions } from "./svg.ts";

const file = threadFile("draw.worker", import.meta.url);
/** The largest code takes a fraction of a second on a quiet machine. */
const limits = { maxMs: 10_000, maxMb: 128 };

/** A process draws one code at a time, since each takes a core; accounts take turns. */
const queue = new FairQueue({
  atOnce: 1,
  maxWaiting: 64,
  refusal: () => tooMany("Too many QR codes are being drawn; try again shortly"),
});
const tooMany = (message: string) => new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 });

/** Width in pixels up to which a code of any look is drawn in less time than a thread takes to start. */
const smallPng = 1024;

/**
 * Draws a code of any look as a PNG image, in a thread of its own if that takes long. Null if its size has less than one pixel
 * per module.
 * @throws {AppError} 503 if too many codes wait to be drawn
 */
export async function drawPng(accountId: string, text: string, look: QrOptions): Promise<Buffer | null> {
  if (isPlainLook(look) || (look.size ?? 0) <= smallPng) return qrPng(text, look);
  const { png } = await inTurn(accountId, { kind: "png", text, look });
  return png && Buffer.from(png);
}

/**
 * Whether scanners read codes of these texts with a logo, found out in a thread of its own.
 * @throws {AppError} as above
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
  const answer = await queue.run([{ key: accountId, weight: 1 }], () =>
    inThread<Drawings[Kind]>(file, task, limits),
  );
  if (answer === null) throw tooMany("The QR code could not be drawn in time; try again shortly");
  return answer;
}
