/** Types of PostgreSQL that a line of an export writes in its own way. */
const timestamptz = 1184;
const bigint = 20;

/** One row as a line of an export: times in ISO 8601, numbers as numbers. */
export function lineOf(
  type: string,
  row: Readonly<Record<string, unknown>>,
  fields: readonly { name: string; dataTypeID: number }[],
): string {
  const line: Record<string, unknown> = { type };
  for (const { name, dataTypeID } of fields) {
    const value = row[name];
    if (value === null) line[name] = null;
    else if (dataTypeID === timestamptz) line[name] = new Date(value as string).toISOString();
    else line[name] = dataTypeID === bigint ? Number(value) : value;
  }
  return `${JSON.stringify(line)}\n`;
}
