import { lastingThread, threadFile } from "../../kernel/async/in-thread.ts";
import type { Account, Reply } from "../../kernel/context.ts";
import { processLimits } from "../../rpc/limits/limits.ts";
import { accountTurns, busy } from "../turns.ts";
import { qrPng } from "./png.ts";
import type { Logo } from "./shapes.ts";
import { isPlainLook, type QrOptions } from "./svg.ts";

/** The largest code takes a fraction of a second on a quiet machine. */
const inThread = lastingThread(threadFile("draw.worker", import.meta.url), { maxMs: 10_000, maxMb: 128 });

const inTurn = accountTurns(64, "QR codes are being drawn");

/**
 * Draws a code of any style as a PNG image; in its own thread if it has more than squares. Null if its size has less than one
 * pixel per module.
 * @throws {AppError} 429 if the account requests too many, 503 if too many codes wait to be drawn
 */
export async function drawPng(
  { account, reply }: { account: Account; reply: Reply },
  text: string,
  look: QrOptions,
): Promise<Buffer | null> {
  if (isPlainLook(look)) return qrPng(text, look);
  await processLimits.take("qr-codes", account.id, reply);
  const { png } = await ask(account.id, { kind: "png", text, look });
  return png && Buffer.from(png);
}

/**
 * Whether scanners can read codes of these texts with a logo, tested in its own thread.
 * @throws {AppError} 503 as above
 */
export const areDecodable = async (
  accountId: string,
  texts: readonly string[],
  logo: Logo,
): Promise<boolean> => (await ask(accountId, { kind: "isDecodable", texts, logo })).isDecodable;

async function ask<Kind extends DrawingTask["kind"]>(
  accountId: string,
  task: DrawingTask & { kind: Kind },
): Promise<Drawings[Kind]> {
  const answer = await inTurn(accountId, () => inThread<Drawings[Kind]>(task));
  if (answer === null) throw busy("The QR code could not be drawn in time; try again shortly", "QR codes");
  return answer;
}

/** The tasks of the thread that draws codes. */
export type DrawingTask =
  | { kind: "png"; text: string; look: QrOptions }
  | { kind: "isDecodable"; texts: readonly string[]; logo: Logo };

/** Its answers. `png` is null if the size has less than one pixel per module. */
export interface Drawings {
  png: { png: Uint8Array | null };
  isDecodable: { isDecodable: boolean };
}
