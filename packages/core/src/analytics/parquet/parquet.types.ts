/** Columns whose texts many rows share: the texts of all of them together, by the place of each row. */
export interface SharedTexts {
  names: readonly string[];
  values: (readonly string[])[];
  places: Uint32Array;
}

/** Rows for the thread that writes a file; null ends the file. */
export interface RowGroup {
  count: number;
  /** Milliseconds since the epoch */
  times: Float64Array;
  /** 0 or 1 */
  unique: Uint8Array;
  shared: SharedTexts[];
}

/** The columns of a file, in order, as the thread gets them at its start. */
export interface FileOptions {
  columns: readonly string[];
  time: string;
  flag: string;
}
