import { inThread, threadFile } from "../../kernel/async/in-thread.ts";
import { refusal } from "../../kernel/errors.ts";
import { limiterOf, refusalOf, tooMany } from "../../rpc/limits/counting.ts";
import type { AccountCall } from "../call.ts";
import { accountTurns } from "../turns.ts";

/** The largest file that is accepted, in bytes. */
export const maxImageBytes = 2_000_000;
/** A photo of today's phones has 12 million pixels; decoded, 16 million take 64 MB. */
const maxPixels = 16_000_000;
/** Decoding the largest image takes less than a second on a quiet machine. */
const limits = { maxMs: 10_000, maxMb: 128 };
const file = threadFile("convert.worker", import.meta.url);

/** An image as operations accept it. */
export const imageFile = {
  types: ["image/png", "image/jpeg", "image/webp"],
  field: "image",
  maxBytes: maxImageBytes,
};

type Caller = Pick<AccountCall, "account" | "reply">;

/** Images of an account that are converted a minute, which take a core for half of it if they are the largest */
const perMinute = 30;
/** Counts in this process only, as the time that it protects is this process's. */
const limit = limiterOf(null, "images", perMinute);

const inTurn = accountTurns(32, "images are under way");

/**
 * Makes a square WebP image of a PNG, JPEG or WebP image: cropped to its middle, upright, without metadata. The bytes are read
 * in a thread of their own, which is ended when it takes too long; no pixel is decoded of an image that has too many.
 * @throws {AppError} 400 if it is no such image or cannot be read, 429 beyond the account's limit, 503 if too many images wait
 */
export const squareImage = (
  caller: Caller,
  bytes: Uint8Array<ArrayBuffer>,
  { side, maxBytes }: Pick<ConversionTask, "side" | "maxBytes">,
): Promise<Conversions["square"]> => converted(caller, { kind: "square", bytes, side, maxPixels, maxBytes });

/**
 * The pixels of a PNG, JPEG or WebP image, at most `side` wide and high, in its own shape. Read in a thread as above.
 * @throws {AppError} as above
 */
export const wholeImage = (
  caller: Caller,
  bytes: Uint8Array<ArrayBuffer>,
  side: number,
): Promise<Conversions["whole"]> =>
  converted(caller, { kind: "whole", bytes, side, maxPixels, maxBytes: Number.POSITIVE_INFINITY });

async function converted<Kind extends keyof Conversions>(
  { account, reply }: Caller,
  task: ConversionTask & { kind: Kind },
): Promise<Conversions[Kind]> {
  const exceeded = await refusalOf([[limit, account.id]], "images");
  if (exceeded !== null) {
    reply.rateLimit = exceeded;
    throw tooMany(exceeded, "images");
  }
  const answer = await inTurn(account.id, () => inThread<Conversion<Kind>>(file, task, limits));
  if (answer && "image" in answer) return answer.image;
  const why = answer?.refusal ?? "unreadable";
  const params = { reason: why, ...(why === "pixels" && { max: maxPixels }) };
  throw refusal("BAD_REQUEST", "image", "invalid_image", refusals[why], params);
}

const refusals = {
  type: "must be a PNG, JPEG or WebP image",
  pixels: `must have at most ${maxPixels / 1e6} million pixels`,
  unreadable: "could not be read; the file may be damaged, or an animation",
};

/** The task of the thread that converts images. */
export interface ConversionTask {
  bytes: Uint8Array<ArrayBuffer>;
  /** "square": the middle, as WebP; "whole": all of it, as pixels */
  kind: keyof Conversions;
  /** Width and height of the result; of a whole image the longer of both */
  side: number;
  /** The most pixels that are decoded */
  maxPixels: number;
  /** The most bytes that a WebP image may have */
  maxBytes: number;
}

/** A WebP image; or four bytes a pixel, row by row: red, green, blue and how opaque it is. */
interface Conversions {
  square: Uint8Array<ArrayBuffer>;
  whole: { width: number; height: number; pixels: Uint8Array<ArrayBuffer> };
}

/** An image, or why there is none. */
export type Conversion<Kind extends keyof Conversions = keyof Conversions> =
  | { image: Conversions[Kind] }
  | { refusal: keyof typeof refusals };
