/** Most groups of a person, and longest name, that are read. */
const maxGroups = 2000;
const maxName = 500;

type Claims = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Claims =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a claim by its name, which may have dots itself, or by a path of names; undefined if there is none. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot);
    const inner: unknown = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const value = isObject(inner) ? claimAt(inner, path.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * The names of groups in a claim, in each form that providers send: a list of names or of objects, one text with commas or
 * spaces between names or a list in JSON, an object whose keys are names (Zitadel). Keycloak's begin with a slash.
 */
export function groupsIn(value: unknown): string[] {
  const names = namesIn(value).map((name) => name.trim().replace(/^\//, ""));
  const fine = names.filter((name) => name !== "" && name.length <= maxName && name.isWellFormed());
  return Array.from(new Set(fine)).slice(0, maxGroups);
}

function namesIn(value: unknown): string[] {
  if (typeof value === "string") return namesInText(value);
  if (Array.isArray(value)) return value.flatMap((each: unknown) => nameOf(each));
  return isObject(value) ? Object.keys(value) : [];
}

function namesInText(text: string): string[] {
  const listed = text.trim().startsWith("[") ? parsed(text) : null;
  if (listed) return namesIn(listed);
  // Cognito passes lists on as text: "[a, b]".
  const bare = text.trim().replace(/^\[(.*)\]$/s, "$1");
  return bare.includes(",") ? bare.split(",") : [bare, ...bare.split(/\s+/)];
}

function parsed(text: string): unknown[] | null {
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return null;
  }
}

/** The name of an entry of a list. */
function nameOf(entry: unknown): string[] {
  if (typeof entry === "string") return [entry];
  if (!isObject(entry)) return [];
  const name = ["name", "displayName", "display", "value", "id"].find(
    (key) => typeof entry[key] === "string",
  );
  return name === undefined ? Object.keys(entry) : [entry[name] as string];
}
