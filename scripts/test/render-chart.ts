import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

type Values = { [name: string]: unknown };

/**
 * Renders the templates of a chart as Helm does, for what ours use: fields, `| quote`, `fail`, `if` with the functions below,
 * and `range` over a map. Throws for anything else, for a field that is missing from values.yaml, and for `fail`.
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

/** Text and actions in turn. `{{-` takes the white space before it away. */
const tokensOf = (template: string) => template.replaceAll(/\s*\{\{-/g, "{{").split(/(\{\{.*?\}\})/);

function render(template: string, data: Values): string {
  const tokens = tokensOf(template);
  const rendered = body(data, true);
  if (tokens.length > 0) throw new Error("An end without an if");
  return rendered;

  /** Reads up to the `end` of a block; writes nothing of one that does not hold. */
  function body(scope: Values, isShown: boolean): string {
    let text = "";
    for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
      const action = /^\{\{\s*(.*?)\s*\}\}$/.exec(token)?.[1];
      if (action === undefined) text += token;
      else if (action === "end") return text;
      else if (action.startsWith("if ")) {
        const holds = isShown && Boolean(evaluate(action.slice(3), scope));
        const inner = body(scope, holds);
        if (holds) text += inner;
      } else if (action.startsWith("range ")) text += range(action, scope, isShown);
      else if (isShown) text += printed(action, scope);
    }
    return text;
  }

  function range(action: string, scope: Values, isShown: boolean): string {
    const path = /^range \$name, \$value := (\.[\w.]+)$/.exec(action)?.[1] ?? "";
    const rest = [...tokens];
    const entries = Object.entries(evaluate(path, scope) as Values).toSorted(([a], [b]) => (a < b ? -1 : 1));
    let text = "";
    for (const [$name, $value] of entries) {
      tokens.splice(0, tokens.length, ...rest);
      text += body({ ...scope, $name, $value }, isShown);
    }
    return text;
  }
}

function printed(action: string, scope: Values): string {
  const [, failure] = /^fail "(.*)"$/.exec(action) ?? [];
  if (failure !== undefined) throw new Error(failure);
  const [, path = "", quote] = /^(\S+)( \| quote)?$/.exec(action) ?? [];
  const value = String(evaluate(path, scope));
  return quote ? JSON.stringify(value) : value;
}

const functions: Record<string, (...values: unknown[]) => unknown> = {
  and: (...values) => values.every(Boolean),
  or: (...values) => values.some(Boolean),
  not: (value) => !value,
  gt: (a, b) => Number(a) > Number(b),
  int: Number,
};

/** Evaluates `gt (int .Values.replicas) 1` and alike. */
function evaluate(expression: string, scope: Values): unknown {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  return group();

  function group(): unknown {
    const values: unknown[] = [];
    const name = words[0] !== undefined && Object.hasOwn(functions, words[0]) ? words.shift() : undefined;
    for (let word = words.shift(); word !== undefined && word !== ")"; word = words.shift())
      values.push(word === "(" ? group() : atom(word));
    return name === undefined ? values[0] : functions[name]?.(...values);
  }
  function atom(word: string): unknown {
    if (/^\d+$/.test(word)) return Number(word);
    return word.startsWith("$") ? scope[word] : valueOf(word, scope);
  }
}

/** A setting may be missing, any other field must be there. */
function valueOf(path: string, data: Values): unknown {
  return path
    .slice(1)
    .split(".")
    .reduce((at: unknown, name) => {
      if (isMap(at) && Object.hasOwn(at, name)) return at[name];
      if (path.startsWith(".Values.settings.")) return undefined;
      throw new Error(`There is no ${path}`);
    }, data);
}
