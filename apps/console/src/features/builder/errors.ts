/** What is wrong with each field, by its path as the API spells it, such as `geo_rules.0.url`; `other` is about none. */
export type Errors = Readonly<Record<string, string>>;

/** The fields of the form. */
const fields = [
  "url",
  "slug",
  "title",
  "tags",
  "notes",
  "domain",
  "password",
  "expires_at",
  "rules",
  "geo_rules",
  "ab_test",
  "starts_at",
  "click_limit",
  "fallback_url",
  "redirect_status",
  "forward_query",
  "forward_path",
  "preview",
];
const fieldMessage = new RegExp(String.raw`^(?:draft\.)?((?:${fields.join("|")})(?:\.\w+)*):? (.*)$`, "s");

/** The API names the field first, which the form shows at that field. */
export function errorsOf(message: string | undefined): Errors {
  if (message === undefined) return {};
  const [, path, reason] = fieldMessage.exec(message) ?? [];
  return path !== undefined && reason !== undefined ? { [path]: reason } : { other: message };
}

/** The error about a field, or about a part of it. */
export const errorIn = (errors: Errors, field: string): string | undefined =>
  Object.entries(errors).find(([path]) => isIn(path, field))?.[1];

/** The errors that are not about a field, or about a part of it. */
export const withoutField = (errors: Errors, field: string): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !isIn(path, field)));

const isIn = (path: string, field: string) => path === field || path.startsWith(`${field}.`);
