/** Bits below the time; a click's id is its time in milliseconds and 20 bits that tell clicks of one moment apart. */
const sequenceBits = 20n;
const sequenceMask = (1 << 20) - 1;

/** Ids for clicks: sorted by time, and different for a million clicks of one millisecond and process. Until 2248. */
export function createClickIds(start: number): (time: number) => string {
  let sequence = start & sequenceMask;
  return (time) => {
    sequence = (sequence + 1) & sequenceMask;
    return String((BigInt(time) << sequenceBits) | BigInt(sequence));
  };
}

/** The smallest id that a click at this time (milliseconds since the epoch) can have. */
export const firstIdAt = (time: number): bigint => BigInt(time) << sequenceBits;

/** When a click happened, in milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number(BigInt(id) >> sequenceBits);

/** The same in SQL, of a column. */
export const timeIn = (column: string): string => `(${column} >> ${sequenceBits})`;
