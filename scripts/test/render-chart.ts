import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

type Values = { [name: string]: unknown };

/**
 * Renders the templates of a chart as Helm does, as far as ours go: fields, `| quote`, and `if` and `range` over a map that
 * are not nested in each other. Throws for anything else, and for a field that is not there.
 */
export function renderChart(folder: string, values: Values): string[] {
  const read = (file: string) => parse(readFileSync(join(folder, file), "utf8")) as Values;
  const { version, appVersion } = read("Chart.yaml");
  const data = {
    Values: merged(read("values.yaml"), values),
    Release: { Name: "terse" },
    Chart: { Version: version, AppVersion: appVersion },
  };
  return readdirSync(join(folder, "templates"))
    .map((name) => render(readFileSync(join(folder, "templates", name), "utf8"), data))
    .filter((text) => text.trim() !== "");
}

const isMap = (value: unknown): value is Values => typeof value === "object" && value !== null;

const merged = (base: Values, more: Values): Values =>
  Object.fromEntries(
    Object.entries({ ...base, ...more }).map(([name, value]) => {
      const before = base[name];
      return [name, isMap(before) && isMap(value) ? merged(before, value) : value];
    }),
  );

const block =
  /[^\S\n]*\{\{- (?:if (\.[\w.]+)|range \$name, \$value := (\.[\w.]+)) \}\}\n([^]*?)[^\S\n]*\{\{- end \}\}\n/g;
const place = /\{\{ (\.[\w.]+|\$name|\$value)( \| quote)? \}\}/g;

function render(template: string, data: Values): string {
  const expanded = template.replaceAll(block, (_, condition: string, list: string, body: string) => {
    if (condition) return valueOf(condition, data) ? body : "";
    return Object.entries(valueOf(list, data) as Values)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => fill(body, { ...data, $name: name, $value: value }))
      .join("");
  });
  const text = fill(expanded, data);
  if (text.includes("{{")) throw new Error(`Not rendered: ${text.slice(text.indexOf("{{")).split("\n")[0]}`);
  return text;
}

const fill = (text: string, data: Values): string =>
  text.replaceAll(place, (_, path: string, quote?: string) => {
    const value = path.startsWith("$") ? data[path] : valueOf(path, data);
    return quote ? JSON.stringify(String(value)) : String(value);
  });

function valueOf(path: string, data: Values): unknown {
  return path
    .slice(1)
    .split(".")
    .reduce((at: unknown, name) => {
      if (!isMap(at) || !Object.hasOwn(at, name)) throw new Error(`There is no ${path}`);
      return at[name];
    }, data);
}
