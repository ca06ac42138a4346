/** The files of a domain as a person edits them. */

export const fileFields = ["apple_app_site_association", "assetlinks"] as const;
export type FileField = (typeof fileFields)[number];

export const textOf = (file: unknown): string => (file === null ? "" : JSON.stringify(file, null, 2));

/** What a person begins with; the names of the app are to be replaced. */
export const samples: Record<FileField, string> = {
  apple_app_site_association: textOf({
    applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
  }),
  assetlinks: textOf([
    {
      relation: ["delegate_permission/common.handle_all_urls"],
      target: {
        namespace: "android_app",
        package_name: "com.example.app",
        sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "00").join(":")],
      },
    },
  ]),
};

/** `value` is JSON of any form: the service says whether it is right. */
export type ReadFile = { ok: true; value: unknown } | { ok: false; line: number | null; column: number };

/** Reads a typed file; no text is no file. If it is not JSON, says where, as far as the browser does. */
export function readFile(text: string): ReadFile {
  if (text.trim() === "") return { ok: true, value: null };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    const message = (error as Error).message;
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
    if (line !== undefined) return { ok: false, line: Number(line), column: Number(column) };
    const [, position] = /position (\d+)/.exec(message) ?? [];
    // A text that ends too early has no position.
    const at = position === undefined && /end of/i.test(message) ? text.length : position;
    if (at === undefined) return { ok: false, line: null, column: 0 };
    const before = text.slice(0, Number(at)).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

/** Divides an error of the API into the field, the place in its file, and what is wrong; the field is null if it names none. */
export function problemOf(message: string): { field: string | null; place: string; text: string } {
  const known = ["root_url", "not_found_url", "expired_url", "import_from", ...fileFields].join("|");
  const [, field, place = "", text] =
    new RegExp(String.raw`^(${known})((?:\.[^:\s]+)*):? (.*)$`, "s").exec(message) ?? [];
  if (field === undefined || text === undefined) return { field: null, place: "", text: message };
  return { field, place: place.slice(1).replaceAll(".", " › "), text };
}
