import type { Logo } from "./logo.types.ts";
import type { QrOptions } from "./svg.ts";

/** What the thread that draws codes is asked. */
export type DrawingTask =
  | { kind: "png"; text: string; look: QrOptions }
  | { kind: "isDecodable"; texts: readonly string[]; logo: Logo };

/** Its answers. `png` is null if the size has less than one pixel per module. */
export interface Drawings {
  png: { png: Uint8Array | null };
  isDecodable: { isDecodable: boolean };
}
