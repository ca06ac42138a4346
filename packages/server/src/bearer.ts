/** The token of an Authorization header (RFC 6750 section 2.1); null where the header has another form. */
export function bearerToken(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}
