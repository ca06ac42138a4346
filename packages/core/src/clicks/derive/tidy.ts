/** Control characters and spaces, of which one space remains. */
const gaps = /[\p{Cc}\p{Z}]+/gu;

const halfCharacter = /[\uD800-\uDBFF]$/;

/** A text from outside as it can be stored: on one line, with at most `length` characters. */
export const tidy = (text: string, length: number): string =>
  text.replace(gaps, " ").trim().slice(0, length).replace(halfCharacter, "").toWellFormed().trim();
