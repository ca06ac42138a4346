/** The weight of each entry of a header such as Accept, by its name in lower case (RFC 9110 section 12.4.2). */
export function weightsOf(header: string | undefined): Map<string, number> {
  const entries = (header ?? "").toLowerCase().split(",");
  return new Map(
    entries.map((entry) => {
      const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
}
