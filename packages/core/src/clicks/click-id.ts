/** A click's id is its time in milliseconds, and below it a sequence of 20 bits for clicks of the same moment. */
export const sequenceBits = 20n;
/** The bits of the sequence in a number of 32 bits. */
export const sequenceMask = (1 << 20) - 1;

/** Makes sequences: with them ids are unique for a million clicks per millisecond and process, until the year 2248. */
export function createSequence(start: number): () => number {
  let sequence = start & sequenceMask;
  return () => (sequence = (sequence + 1) & sequenceMask);
}

/** Sets the higher and the lower 32 bits of an id, for `binaryBigints`. */
export function setId(time: number, sequence: number, words: Int32Array, at: number): void {
  words[at] = Math.floor(time / 4096);
  words[at + 1] = ((time % 4096) << Number(sequenceBits)) | sequence;
}

/** The id of a click at a time (milliseconds since the epoch) with a sequence. */
export const idOf = (time: number, sequence: number): bigint =>
  (BigInt(time) << sequenceBits) | BigInt(sequence);

/** The smallest id of a click at this time (milliseconds since the epoch). */
export const firstIdAt = (time: number): bigint => BigInt(time) << sequenceBits;

/** The time of a click, in milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> sequenceBits);

/** The same in SQL, for a column. */
export const timeIn = (column: string): string => `(${column} >> ${sequenceBits})`;
