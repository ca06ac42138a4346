/** Tags in one cell of a file, separated by "|"; a backslash precedes one that belongs to a name. */
export const joinTags = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\|]/g, "\\$&")).join("|");

/** Reads what `joinTags` writes. Empty names are left out. */
export const splitTags = (cell: string): string[] =>
  Array.from(cell.matchAll(/(?:\\.|[^\\|]|\\$)+/gsu), ([name]) => name.replaceAll(/\\(.)/gsu, "$1")).filter(
    (name) => name.trim() !== "",
  );
