/** The picture in the middle of an account's QR codes. */
export interface Logo {
  width: number;
  height: number;
  /** Four bytes a pixel, row by row: red, green, blue and how opaque it is, each from 0 to 255 */
  pixels: Uint8Array;
  /** The same as a PNG image */
  png: Buffer;
}
