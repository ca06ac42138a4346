/** Refusals as data: pure, since browsers use them, too. */

/** All codes of issues with their meanings; in braces, the params with the details. */
export const issueMeanings = {
  required: "The field is missing ({expected}), or at least one of {fields} is required",
  wrong_type: "The value is not {expected}",
  invalid_choice: "The value is not one of {choices}",
  invalid_format: "The text does not have the format {format}, such as {example}",
  too_long: "The text has more than {max} characters",
  too_short: "The text has fewer than {min} characters",
  too_many: "There are more than {max} entries",
  too_few: "There are fewer than {min} entries",
  too_large: "The number is larger than {max}",
  too_small: "The number is smaller than {min}",
  unknown_field: "The {fields} do not exist",
  duplicate: "The same value, or {field}, is given twice",
  control_characters: "The text has control characters",
  half_character: "The text has half a character (a lone surrogate)",
  nothing_visible: "The text has no visible character",
  masked: "The password is only a placeholder for a previous one",
  excluded: "The field cannot be combined with {field}",
  needs: "The field needs {field}",
  ambiguous: "Several things match: choose one of {choices}",
  either_of: "Exactly one of {fields} is required",
  too_early: "The time is before {than}: a time, a field, or now",
  too_late: "The time is after {than}: a time, a field, or now",
  clicks_dropped: "Raw clicks only go back to {since}",
  too_much_data: "The request covers too many different values",
  invalid: "The value is not valid for another reason",
  invalid_url: "The URL cannot be used, because of {reason}",
  invalid_image: "The image cannot be used, because of {reason}",
  invalid_file: "The file cannot be read, because of {reason}",
  low_contrast: "The contrast is {contrast}:1, and must be {min}:1",
  invalid_domain: "The name cannot be a custom domain, because of {reason}",
  domain_unverified: "The domain {domain} is not a verified custom domain of the account",
  domain_taken: "Another account has verified {domain}",
  invalid_slug: "A slug cannot have {character}, which is {kind}",
  slug_taken: "Another link or page has the slug {slug}",
  slug_reserved: "The service itself uses the slug {slug}",
  plan_required: "{feature} needs the plan {plan}",
  scope_required: "The API key or connection has none of the {scopes}",
  role_required: "The caller has the role {role} in the workspace, and the call needs {needs}",
  sign_in_again: "The sign-in is more than {max_age} seconds old",
  credential_refused: "A {credential} cannot make this call",
  exceeds_credential: "The credential cannot grant more than its own {scopes}, or beyond {expires_at}",
  unauthenticated: "The call needs a valid credential",
  forbidden: "The caller may not do this, because of {reason}",
  passkey_refused: "The passkey was not accepted, because of {reason}",
  last_sign_in: "It is the only way to sign in to the account",
  inactive: "The {resource} is switched off",
  disabled: "The operator of the service disabled this {resource}, because of {reason}",
  limit_reached: "The account has reached its maximum of {max} {resource} on the plan {plan}",
  not_found: "There is no such {resource}",
  method_not_allowed: "The address does not accept this method",
  cannot_undo: "The change {change} cannot be undone, because of {reason}: {by}, {job}, {link}",
  stopped: "Another entry, {index}, was refused, so none was created",
  concurrent_change: "Another change was made at the same time; try again in {seconds} seconds",
  conflict: "The request conflicts with existing data, because of {reason}",
  already_replaced: "The {resource} was replaced by another one",
  changed_meanwhile: "The {resource} has changed since it was read",
  blocked: "The destination is blocked: {host}",
  loop: "The destination leads back to a short-link host",
  expired: "The time has passed",
  body_too_large: "The body of the request is too large",
  wrong_media_type: "The Content-Type is not supported",
  in_progress: "A request with this Idempotency-Key is in progress; try again in {seconds} seconds",
  key_reused: "The Idempotency-Key was used for another request",
  answer_lost: "The request was carried out, and its answer cannot be repeated",
  database_in_use: "Other programs use the database: {programs}",
  database_not_empty: "The database has data already: {data}",
  interrupted: "The connection was lost at the last step",
  file_exists: "There is a file {file} already",
  unprocessable: "The contents cannot be processed",
  rate_limited: "Too many requests; try again in {seconds} seconds",
  internal: "The service failed",
  busy: "Too many {work} are under way; try again in {seconds} seconds",
  took_too_long: "The answer took too long; ask for less",
  unavailable: "The service cannot answer now; try again in {seconds} seconds",
} as const;

export type IssueCode = keyof typeof issueMeanings;
/** The closed list of codes */
export const issueCodes = Object.keys(issueMeanings) as [IssueCode, ...IssueCode[]];

/** The details from which, with the code, sentences in other languages are made. */
export type IssueParams = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** Why a field is refused, without its path. */
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
  path: typeof path === "string" ? (path.match(/[^.]+/g) ?? []).map(stepOf) : path,
  code,
  message,
  ...(params && { params }),
});

const stepOf = (step: string) => (/^\d{1,9}$/.test(step) ? Number(step) : step);

/** The sentence of an issue, beginning with where it stands. */
export const sentenceOf = ({ path, message }: Pick<Issue, "path" | "message">): string =>
  path.length === 0 ? message : `${path.join(".")}: ${message}`;
