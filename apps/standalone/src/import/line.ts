/** One line of an import; the texts are trimmed, "" where there is none. */
export interface Line {
  /** Where it begins in the file, from 1 */
  line: number;
  url: string;
  slug: string;
  title: string;
  domain: string;
  /** Why it is not even a row */
  fault?: string;
}

/** Nothing known but the place. */
export const blankLine = (line: number): Line => ({ line, url: "", slug: "", title: "", domain: "" });
