/** Returns what is wrong with the URL of a ClickHouse server and its database, or null. */
export function clickHouseUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return "must be the http or https URL of a ClickHouse server";
  if (!/^\/[A-Za-z_]\w{0,63}$/.test(url.pathname))
    return "must end with the name of a database, such as /terse";
  return /[?#\s]/.test(text) ? "must have no parameters" : null;
}
