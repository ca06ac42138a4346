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
export type ReadFile = { ok: true; value: unknown } | { ok: false; line: number; column: number };

/** Reads a typed file; no text is no file. If it is not JSON, says where. */
export function readFile(text: string): ReadFile {
  if (text.trim() === "") return { ok: true, value: null };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    const before = text.slice(0, endOfJson(text)).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

const space = /[ \t\n\r]*/y;
const string = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;

/** Where a text is no longer JSON (RFC 8259). Browsers say it in words of their own, and some do not. */
function endOfJson(text: string): number {
  let end = 0;
  const take = (token: RegExp): boolean => {
    token.lastIndex = end;
    const [found] = token.exec(text) ?? [];
    end += found?.length ?? 0;
    return found !== undefined;
  };
  const member = () => take(space) && take(string) && take(space) && take(/:/y) && value();
  const listOf = (part: () => boolean, close: RegExp): boolean => {
    take(space);
    if (take(close)) return true;
    do if (!part()) return false;
    while (take(/,/y));
    return take(close);
  };
  const value = (): boolean => {
    take(space);
    const isValue =
      take(string) ||
      take(scalar) ||
      (take(/\{/y) && listOf(member, /\}/y)) ||
      (take(/\[/y) && listOf(value, /\]/y));
    return isValue && take(space);
  };
  value();
  return end;
}
