import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import decodeJpeg, { init as initJpeg } from "@jsquash/jpeg/decode.js";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import resize, { initResize } from "@jsquash/resize";
import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js";
import encodeWebp, { init as initEncoder } from "@jsquash/webp/encode.js";
import { imageSize } from "image-size";
import type { Conversion, ConversionTask } from "./convert.ts";

/** What the codecs make of a browser's ImageData, which Node does not have. */
interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}
Object.assign(globalThis, {
  ImageData: class implements Pixels {
    readonly data;
    readonly width;
    readonly height;
    constructor(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  },
});

/** Node's types leave it out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** Compiles a codec, which a build compresses; outside a browser its package cannot find the file. */
async function codec(url: string): Promise<object> {
  const bytes = await readFile(fileURLToPath(url));
  return WebAssembly.compile(url.endsWith(".br") ? brotliDecompressSync(bytes) : bytes);
}

const decoders = {
  async jpeg(bytes: ArrayBuffer) {
    await initJpeg(await codec(import.meta.resolve("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm")));
    return decodeJpeg(bytes, { preserveOrientation: true });
  },
  async png(bytes: ArrayBuffer) {
    await initPng(await codec(import.meta.resolve("@jsquash/png/codec/pkg/squoosh_png_bg.wasm")));
    return decodePng(bytes);
  },
  async webp(bytes: ArrayBuffer) {
    await initWebp(await codec(import.meta.resolve("@jsquash/webp/codec/dec/webp_dec.wasm")));
    return decodeWebp(bytes);
  },
};

/** Recognises an image by its first bytes; null for anything else. */
function formatOf(bytes: Uint8Array): "png" | "jpeg" | "webp" | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  if (head.startsWith("\xFF\xD8\xFF")) return "jpeg";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "webp" : null;
}

/** Lower qualities are tried only if the image is too large with the ones before. */
const qualities = [82, 65, 45, 25, 10, 0];

async function convert({ kind, bytes, side, maxPixels, maxBytes }: ConversionTask): Promise<Conversion> {
  const format = formatOf(bytes);
  if (format === null) return { refusal: "type" };
  const { width, height } = imageSize(bytes);
  if (width * height > maxPixels) return { refusal: "pixels" };
  const input = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const pixels = (await decoders[format](input)) as Pixels;
  await initResize(await codec(import.meta.resolve("@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm")));
  if (kind === "whole") {
    const ratio = Math.min(1, side / Math.max(pixels.width, pixels.height));
    const size = (length: number) => Math.max(1, Math.round(length * ratio));
    const whole = await resize(pixels, { width: size(pixels.width), height: size(pixels.height) });
    const image = {
      width: whole.width,
      height: whole.height,
      pixels: new Uint8Array(whole.data.slice().buffer),
    };
    return { image };
  }
  const small = await resize(pixels, { width: side, height: side, fitMethod: "contain" });
  await initEncoder(await codec(import.meta.resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm")));
  for (const quality of qualities) {
    const image = await encodeWebp(small, { quality });
    if (image.byteLength <= maxBytes) return { image: new Uint8Array(image) };
  }
  return { refusal: "unreadable" };
}

const answer = await convert(workerData as ConversionTask).catch(
  (): Conversion => ({ refusal: "unreadable" }),
);
parentPort?.postMessage(answer, []);
