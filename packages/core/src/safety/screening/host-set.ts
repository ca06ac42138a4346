import { forEachYielding } from "../../kernel/async/waiting.ts";
import { maxHostLength } from "../../kernel/host-names.ts";

/**
 * A set of host names outside the V8 heap: some 29 bytes each. The names stand one after the other, each after a byte
 * with its length. A hash table with linear probing finds them: a slot has a byte of the hash, which tells nearly all
 * names apart, and the position of a name, which is compared. So there are no false positives.
 */

interface Table {
  slots: number;
  /** A byte of the hash, never 0; 0 for an empty slot */
  tags: Uint8Array;
  positions: Uint32Array;
}

/** Slots per name: with a third of them empty, a search looks at some five tags, which are side by side. */
const slotsPerName = 1.5;
const growBytes = 2 ** 20;
/** Positions are 32 bits. */
const maxBytes = 2 ** 32 - 1;
/** Names whose indexing takes about a millisecond */
const batchSize = 2000;

/** FNV-1a over the characters from the last to the first: it passes the hash of each parent domain on the way. */
const hashStart = 0x811c9dc5;
const hashNext = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);

/** Spreads a hash over all 32 bits (the finalizer of MurmurHash3, which is in the public domain). */
function mix(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The slot comes from the high bits, the tag from the low ones. */
const slotOf = (mixed: number, slots: number) => Math.floor((mixed / 2 ** 32) * slots);
const tagOf = (mixed: number) => mixed & 0xff || 1;
const dot = 46;

export class HostSet {
  /** Names in it */
  readonly size: number;
  #names: Uint8Array;
  #table: Table;

  constructor(size: number, names: Uint8Array, table: Table) {
    this.size = size;
    this.#names = names;
    this.#table = table;
  }

  /** Returns whether the set has the host, or a domain above it. `host` is ASCII in lower case. */
  covers(host: string): boolean {
    const end = host.charCodeAt(host.length - 1) === dot ? host.length - 1 : host.length;
    if (end === 0 || end > maxHostLength) return false;
    let hash = hashStart;
    for (let at = end - 1; at >= 0; at--) {
      const code = host.charCodeAt(at);
      if (code === dot && this.#has(host, at + 1, end, hash)) return true;
      hash = hashNext(hash, code);
    }
    return this.#has(host, 0, end, hash);
  }

  /** Releases the memory at once, instead of waiting for the garbage collector. The set is empty from then on. */
  release(): void {
    for (const { buffer } of [this.#names, this.#table.tags, this.#table.positions]) {
      if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
    }
    ({ names: this.#names, table: this.#table } = nothing);
  }

  #has(host: string, start: number, end: number, hash: number): boolean {
    const { slots, tags, positions } = this.#table;
    const mixed = mix(hash);
    const tag = tagOf(mixed);
    for (let slot = slotOf(mixed, slots); tags[slot] !== 0; slot = slot + 1 === slots ? 0 : slot + 1) {
      if (tags[slot] === tag && this.#isAt(positions[slot] as number, host, start, end)) return true;
    }
    return false;
  }

  #isAt(position: number, host: string, start: number, end: number): boolean {
    const names = this.#names;
    if (names[position] !== end - start) return false;
    for (let at = start, byte = position + 1; at < end; at++, byte++) {
      if (names[byte] !== host.charCodeAt(at)) return false;
    }
    return true;
  }
}

const nothing = {
  names: new Uint8Array(0),
  table: { slots: 1, tags: new Uint8Array(1), positions: new Uint32Array(1) },
};
export const emptyHostSet = new HostSet(0, nothing.names, nothing.table);

export class HostSetBuilder {
  readonly #buffer: ArrayBuffer;
  readonly #names: Uint8Array;
  #used = 0;
  #count = 0;
  /** Positions of each batch's first name */
  readonly #batches: number[] = [];

  /** `reservedBytes` of addresses are reserved, in which memory is used as names come in; each takes its length and 1. */
  constructor(reservedBytes: number) {
    this.#buffer = new ArrayBuffer(0, { maxByteLength: Math.min(reservedBytes, maxBytes) });
    this.#names = new Uint8Array(this.#buffer);
  }

  /** Adds a name, which is ASCII in lower case and has at most 253 characters. RangeError if no room is left. */
  add(name: string): void {
    const end = this.#used + 1 + name.length;
    if (end > this.#buffer.byteLength) this.#grow(end);
    if (this.#count % batchSize === 0) this.#batches.push(this.#used);
    this.#count += 1;
    const names = this.#names;
    names[this.#used++] = name.length;
    for (let at = 0; at < name.length; at++) names[this.#used++] = name.charCodeAt(at);
  }

  /** Indexes the added names, yielding to the event loop. Nothing can be added from then on. */
  async build(): Promise<HostSet> {
    this.#buffer.resize(this.#used);
    const slots = Math.max(2, Math.ceil(this.#count * slotsPerName));
    const table = {
      slots,
      tags: new Uint8Array(releasable(slots)),
      positions: new Uint32Array(releasable(slots * 4)),
    };
    let size = 0;
    await forEachYielding(this.#batches, (position) => {
      size += this.#index(position, table);
    });
    return new HostSet(size, this.#names, table);
  }

  #grow(needed: number): void {
    const { maxByteLength } = this.#buffer;
    this.#buffer.resize(Math.max(needed, Math.min(maxByteLength, needed + growBytes)));
  }

  /** Indexes a batch of names; returns how many of them are new. */
  #index(start: number, table: Table): number {
    const names = this.#names;
    let added = 0;
    let position = start;
    for (let name = 0; name < batchSize && position < this.#used; name++) {
      const end = position + 1 + (names[position] as number);
      let hash = hashStart;
      for (let at = end - 1; at > position; at--) hash = hashNext(hash, names[at] as number);
      if (this.#insert(table, mix(hash), position)) added += 1;
      position = end;
    }
    return added;
  }

  #insert({ slots, tags, positions }: Table, mixed: number, position: number): boolean {
    const tag = tagOf(mixed);
    let slot = slotOf(mixed, slots);
    for (; tags[slot] !== 0; slot = slot + 1 === slots ? 0 : slot + 1) {
      if (tags[slot] === tag && this.#areEqual(positions[slot] as number, position)) return false;
    }
    tags[slot] = tag;
    positions[slot] = position;
    return true;
  }

  #areEqual(left: number, right: number): boolean {
    const names = this.#names;
    const length = names[left] as number;
    for (let at = 0; at <= length; at++) if (names[left + at] !== names[right + at]) return false;
    return true;
  }
}

/** A resizable buffer has pages of its own, which go back to the system when it shrinks. */
const releasable = (bytes: number) => new ArrayBuffer(bytes, { maxByteLength: bytes });
