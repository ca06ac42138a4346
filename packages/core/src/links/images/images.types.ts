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
export interface PixelImage {
  width: number;
  height: number;
  pixels: Uint8Array<ArrayBuffer>;
}

/** A WebP image, or pixels, or why there is none. */
export type Conversion =
  | { image: Uint8Array<ArrayBuffer> }
  | { whole: PixelImage }
  | { refusal: "type" | "pixels" | "unreadable" };

/** Recognises an image by its first bytes; null for anything else. */
export function kindOf(bytes: Uint8Array): "png" | "jpeg" | "webp" | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  if (head.startsWith("\xFF\xD8\xFF")) return "jpeg";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "webp" : null;
}
