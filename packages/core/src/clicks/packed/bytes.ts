/** Whole numbers from 0 to 2^53 - 1 as bytes: LEB128, seven bits a byte, the lowest first. */

export class ByteWriter {
  #buffer = Buffer.allocUnsafe(256);
  #length = 0;

  number(value: number): void {
    if (this.#length + 8 > this.#buffer.length) this.#grow();
    let remaining = value;
    while (remaining > 127) {
      this.#buffer[this.#length++] = (remaining % 128) + 128;
      remaining = Math.floor(remaining / 128);
    }
    this.#buffer[this.#length++] = remaining;
  }

  /** The bytes written so far. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The number of bytes read. */
  get position(): number {
    return this.#at;
  }

  /** @throws {RangeError} at the end */
  number(): number {
    let byte = this.#next();
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let factor = 128; ; factor *= 128) {
      byte = this.#next();
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  #next(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError("Packed counts end too early");
    return byte;
  }
}
