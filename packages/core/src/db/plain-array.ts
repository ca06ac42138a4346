/**
 * An array of UUIDs or numbers as a parameter of a statement. The driver would look for what to escape in each of them, which takes
 * a millisecond for a thousand.
 */
export const plainArray = (values: readonly (string | number)[]): string => `{${values.join()}}`;
