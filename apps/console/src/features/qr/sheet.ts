/** Layouts of a sheet, whose rows and columns are in style/qr.css. */
export const codesPerPage = [1, 2, 6, 12, 24] as const;
export const maxOnSheet = 100;
export const maxCopies = 100;

/** What an address says about a sheet: the links' ids, joined by commas, and the layout. */
export function sheetIn(search: Record<string, unknown>): { ids?: string; per?: number; copies?: number } {
  const per = codesPerPage.find((each) => each === search.per);
  const copies = Number.isInteger(search.copies) ? (search.copies as number) : 1;
  return {
    ...(typeof search.ids === "string" && { ids: search.ids }),
    ...(per && per !== 12 && { per }),
    ...(copies > 1 && copies <= maxCopies && { copies }),
  };
}
