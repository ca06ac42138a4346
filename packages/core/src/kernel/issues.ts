/** Why a call is refused, as data: pure, since browsers use it, too. */

/** All codes of issues, each with what it means; in braces, the params that say the details. */
export const issueMeanings = {
  required: "The field is missing ({expected})",
  wrong_type: "The value is not {expected}",
  invalid_choice: "The value is none of {choices}",
  invalid_format: "The text does not have the format {format}",
  too_long: "The text has more than {max} characters",
  too_short: "The text has fewer than {min} characters",
  too_many: "There are more than {max} entries",
  too_few: "There are fewer than {min} entries",
  too_large: "The number is larger than {max}",
  too_small: "The number is smaller than {min}",
  unknown_field: "There are no such {fields}",
  invalid: "The value is refused for another reason",
  invalid_url: "The URL cannot be used, because of {reason}",
  slug_taken: "Another link or page has the slug {slug}",
  slug_reserved: "The service itself uses the slug {slug}",
  plan_required: "{feature} needs the plan {plan}",
  scope_required: "The API key or connection has none of the {scopes}",
  sign_in_again: "The sign-in is more than {max_age} seconds old",
  unauthenticated: "The call needs a valid credential",
  forbidden: "The caller may not do this",
  not_found: "There is no such {resource}",
  method_not_allowed: "The address takes another method",
  conflict: "Another change or its outcome stands in the way",
  changed_meanwhile: "The {resource} has changed since it was read",
  blocked: "The destination is blocked: {host}",
  loop: "The destination leads back to a short-link host",
  expired: "The time has passed",
  body_too_large: "The body of the request is too large",
  wrong_media_type: "The Content-Type cannot be read",
  unprocessable: "The contents cannot be processed",
  rate_limited: "Too many requests; try again in {seconds} seconds",
  internal: "The service failed",
  unavailable: "The service cannot answer now; try again in {seconds} seconds",
} as const;

export type IssueCode = keyof typeof issueMeanings;
/** The closed list of codes */
export const issueCodes = Object.keys(issueMeanings) as readonly IssueCode[];

/** What a sentence in another language is made from, besides the code. */
export type IssueParams = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** Why a field is refused, without where it stands. */
export interface Reason {
  code: IssueCode;
  /** A sentence that follows the field's name */
  message: string;
  params?: IssueParams;
}

/** One thing that is wrong with a call. */
export interface Issue extends Reason {
  /** Where it stands in the input; empty for the whole call */
  path: readonly (string | number)[];
}

export const reason = (code: IssueCode, message: string, params?: IssueParams): Reason =>
  params === undefined ? { code, message } : { code, message, params };

/** @param path the name of a field, or the way to it; "" for the whole call */
export const issue = (path: string | Issue["path"], ...said: Parameters<typeof reason>): Issue =>
  at(path, reason(...said));

/** A reason as the issue of a field. */
export const at = (path: string | Issue["path"], { code, message, params }: Reason): Issue => ({
  path: typeof path === "string" ? (path.match(/[^.]+/g) ?? []) : path,
  code,
  message,
  ...(params && { params }),
});

/** The sentence of an issue, beginning with where it stands. */
export const sentenceOf = ({ path, message }: Pick<Issue, "path" | "message">): string =>
  path.length === 0 ? message : `${path.join(".")}: ${message}`;
