/** Bytes above 127, which Node decodes as Latin-1, are percent-encoded, so that they can be sent on as they came. */
export const toAscii = (raw: string): string =>
  raw.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
