import { FairQueue } from "../../kernel/async/fair-queue.ts";
import { inThread, threadFile } from "../../kernel/async/in-thread.ts";
import type { Account, Reply } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { consume, limiterOf, tooMany } from "../../rpc/limits/counting.ts";

/** The largest file that is accepted, in bytes. */
export const maxImageBytes = 2_000_000;
/** A photo of today's phones has 12 million pixels; decoded, 16 million take 64 MB. */
const maxPixels = 16_000_000;
/** Decoding the largest image takes less than a second on a quiet machine. */
const limits = { maxMs: 10_000, maxMb: 128 };
const file = threadFile("convert.worker", import.meta.url);

interface Caller {
  account: Account;
  reply: Reply;
}

/** Images of an account that are converted a minute, which take a core for half of it if they are the largest */
const perMinute = 30;
/** Counts in this process only, as the time that it protects is this process's. */
const limit = limiterOf(null, "images", perMinute);

/** Images of a process are converted one at a time, since each may take much memory; accounts take turns. */
const queue = new FairQueue({
  atOnce: 1,
  maxWaiting: 32,
  refusal: () =>
    new AppError("SERVICE_UNAVAILABLE", "Too many images are under way; try again shortly", {
      retryAfter: 10,
    }),
});

/**
 * Makes a square WebP image of a PNG, JPEG or WebP image: cropped to its middle, upright, without metadata. The bytes are read
 * in a thread of their own, which is ended when it takes too long; no pixel is decoded of an image that has too many.
 * @throws {AppError} 400 if it is no such image or cannot be read, 429 beyond the account's limit, 503 if too many images wait
 */
export async function squareImage(
  caller: Caller,
  bytes: Uint8Array<ArrayBuffer>,
  { side, maxBytes }: Pick<ConversionTask, "side" | "maxBytes">,
): Promise<Uint8Array> {
  const result = await converted(caller, { kind: "square", bytes, side, maxPixels, maxBytes });
  if ("image" in result) return result.image;
  throw refused(result);
}

/**
 * The pixels of a PNG, JPEG or WebP image, at most `side` wide and high, in its own shape. Read in a thread as above.
 * @throws {AppError} as above
 */
export async function wholeImage(
  caller: Caller,
  bytes: Uint8Array<ArrayBuffer>,
  side: number,
): Promise<PixelImage> {
  const result = await converted(caller, { kind: "whole", bytes, side, maxPixels, maxBytes: 0 });
  if ("whole" in result) return result.whole;
  throw refused(result);
}

async function converted({ account, reply }: Caller, task: ConversionTask): Promise<Conversion> {
  const { state, isOver } = await consume(limit, account.id, "images");
  if (isOver) {
    reply.rateLimit = state;
    throw tooMany(state, "images");
  }
  return queue.run(
    [{ key: account.id, weight: 1 }],
    async () => (await inThread<Conversion>(file, task, limits)) ?? { refusal: "unreadable" },
  );
}

const refused = (result: Conversion) =>
  new AppError("BAD_REQUEST", `image: ${refusals["refusal" in result ? result.refusal : "unreadable"]}`);

const refusals: Record<Extract<Conversion, { refusal: string }>["refusal"], string> = {
  type: "must be a PNG, JPEG or WebP image",
  pixels: `must have at most ${maxPixels / 1e6} million pixels`,
  unreadable: "could not be read; the file may be damaged, or an animation",
};

/** What is asked of the thread that converts images. */
export interface ConversionTask {
  bytes: Uint8Array<ArrayBuffer>;
  /** "square": the middle, as WebP; "whole": all of it, as pixels */
  kind: "square" | "whole";
  /** Width and height of the result; of a whole image the longer of both */
  side: number;
  /** The most pixels that are decoded */
  maxPixels: number;
  /** The most bytes that the result may have */
  maxBytes: number;
}

/** Four bytes a pixel, row by row: red, green, blue and how opaque it is. */
interface PixelImage {
  width: number;
  height: number;
  pixels: Uint8Array<ArrayBuffer>;
}

/** A WebP image, or pixels, or why there is none. */
export type Conversion =
  | { image: Uint8Array<ArrayBuffer> }
  | { whole: PixelImage }
  | { refusal: "type" | "pixels" | "unreadable" };
