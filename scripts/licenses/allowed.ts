/** Licences that the dependencies of the service may have, by SPDX identifier. */
const allowedLicenses: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/**
 * Whether an SPDX licence expression can be met with allowed licences only: one side of an OR is enough, an AND needs
 * both. False for anything that is not an expression, such as `SEE LICENSE IN FILE`.
 */
export function isAllowed(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let complete = true;
  const take = (token: string) => tokens[0] === token && tokens.shift() !== undefined;

  function either(): boolean {
    let allowed = both();
    while (take("OR")) allowed = both() || allowed;
    return allowed;
  }
  function both(): boolean {
    let allowed = single();
    while (take("AND")) allowed = single() && allowed;
    return allowed;
  }
  function single(): boolean {
    if (take("(")) {
      const allowed = either();
      return take(")") && allowed;
    }
    const license = tokens.shift();
    if (license === undefined) complete = false;
    const allowed = allowedLicenses.has(license ?? "");
    // An exception only adds permissions to its licence.
    if (take("WITH")) tokens.shift();
    return allowed;
  }

  return either() && complete && tokens.length === 0;
}
