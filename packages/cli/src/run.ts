import { parseArgs } from "node:util";
import { ApiError, ConnectionError, createClient } from "@terse/client";
import { type Command, type Invocation, NotSignedIn, PlanNeeded, UsageError } from "./command.ts";
import { commands } from "./commands/index.ts";
import { addressOf, exposureOf, urlOf } from "./config.ts";
import { credentialFor } from "./credential.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { quickFetch } from "./http.ts";
import { createTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Exit statuses, which the manual page lists. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  tooMany: 7,
  unavailable: 8,
} as const;

/** Runs the program with these arguments; resolves with its exit status. */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [name = "", ...rest] = argv;
  const text = (help: string) => (process.stdout.write(`${help}\n`), 0);
  if (name === "--version" || name === "-v") return text(version);
  if (name === "" || name === "--help" || name === "-h") return text(generalHelp());
  const command = commands.find((each) => each.name === (name === "help" ? rest[0] : name));
  if (name === "help" && rest.length === 0) return text(generalHelp());
  try {
    if (!command) throw new UsageError(`There is no command ${name === "help" ? rest[0] : name}`);
    if (name === "help" || rest.includes("--help") || rest.includes("-h")) return text(commandHelp(command));
    await command.run(invocationOf(command, rest, env));
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error, command, env);
  }
}

/** Reads the arguments of a command. */
function invocationOf(command: Command, argv: string[], env: NodeJS.ProcessEnv): Invocation {
  const { values, positionals } = parsed(command, argv);
  const [least, most] = countsOf(command.args);
  if (positionals.length < least) throw new UsageError(`${command.args} is missing`);
  if (positionals.length > most) throw new UsageError(`${positionals[most]} is too much`);
  for (const [name, { choices }] of Object.entries(command.options ?? {}))
    for (const value of [values[name] ?? []].flat())
      if (choices && !choices.includes(String(value)))
        throw new UsageError(`--${name}: must be one of ${choices.join(", ")}`);
  const first = positionals[0];
  if (command.choices && first !== undefined && !command.choices.includes(first))
    throw new UsageError(`${first}: must be one of ${command.choices.join(", ")}`);
  const text = (name: string) => [values[name]].flat().at(-1) as string | undefined;
  const url = urlOf(env, command.name === "login" ? text("url") : undefined);
  const place = { url, credential: credentialFor(env, url) };
  const terminal = createTerminal(env, values["json"] === true);
  const exposure = exposureOf(env);
  if (exposure !== null) terminal.note(`terse: ${exposure}`);
  return {
    args: positionals,
    text,
    texts: (name) => (values[name] === undefined ? undefined : ([values[name]].flat() as string[])),
    is: (name) => values[name] === true,
    count(name) {
      const given = text(name);
      if (given === undefined) return undefined;
      if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError(`--${name}: must be a number above zero`);
      return Number(given);
    },
    terminal,
    commands,
    env,
    place,
    client: createClient({
      baseUrl: place.url,
      key: place.credential,
      headers: { "User-Agent": `terse/${version}` },
      fetch: sayingWhyItWaits(terminal),
    }),
  };
}

/** The client tries again later if the service says so. A person should know why nothing happens. */
const sayingWhyItWaits = (terminal: Terminal) =>
  (async (url: string, init?: RequestInit) => {
    const answer = await quickFetch(url, init);
    const seconds = answer.headers.get("Retry-After");
    if (answer.status === 429 && seconds !== null)
      terminal.note(`terse: too many calls; the service says to wait ${seconds} s`);
    return answer;
  }) as typeof fetch;

function parsed(command: Command, args: string[]) {
  const options = Object.entries(command.options ?? {}).map(([name, { value, short, multiple }]) => [
    name,
    { type: value ? "string" : "boolean", ...(short && { short }), ...(multiple && { multiple }) },
  ]);
  try {
    return parseArgs({
      args,
      options: { ...Object.fromEntries(options), json: { type: "boolean" } } as Record<
        string,
        { type: "string" }
      >,
      allowPositionals: true,
    }) as { values: Record<string, string | boolean | string[] | undefined>; positionals: string[] };
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** How many arguments `LINK`, `[LINK]` and `LINK…` allow. */
function countsOf(args: string): [least: number, most: number] {
  const names = args.split(" ").filter(Boolean);
  const least = names.filter((name) => !name.startsWith("[")).length;
  return [least, args.includes("…") ? Number.POSITIVE_INFINITY : names.length];
}

/** Says what went wrong in one sentence, and with which status the program ends. */
function explain(error: unknown, command: Command | undefined, env: NodeJS.ProcessEnv): number {
  const terminal = createTerminal(env, false);
  const say = (sentence: string) => terminal.note(`terse: ${sentence}`);
  terminal.progress(null);
  if (error instanceof UsageError) {
    say(`${error.message}. See: terse ${command ? `${command.name} ` : ""}--help`);
    return exitCodes.usage;
  }
  if (isOfAnother(error)) {
    say(`The service does not answer like Terse: ${error.message}`);
    say(whereToSet(env));
    return exitCodes.unavailable;
  }
  say(error instanceof Error ? error.message : String(error));
  if (error instanceof PlanNeeded) return exitCodes.forbidden;
  const isRefused = error instanceof NotSignedIn || (error instanceof ApiError && error.status === 401);
  if (isRefused) say("sign in with: terse login");
  if (error instanceof NotSignedIn) return exitCodes.notSignedIn;
  if (error instanceof ConnectionError) {
    say(whereToSet(env));
    return exitCodes.unavailable;
  }
  if (!(error instanceof ApiError)) return exitCodes.failed;
  if (error.status >= 500 && error.requestId) say(`the request was ${error.requestId}`);
  return statuses[error.status] ?? (error.status >= 500 ? exitCodes.unavailable : exitCodes.failed);
}

/** A "not found" without a sentence of ours: of another server, or of the short-link host. */
const isOfAnother = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  [404, 405].includes(error.status) &&
  error.message.startsWith("The service answered ");

function whereToSet(env: NodeJS.ProcessEnv): string {
  const { url, source } = addressOf(env);
  return `its address ${url} is from ${source}; to use another one, set TERSE_URL or run: terse login --url URL`;
}

const statuses: Record<number, number> = {
  401: exitCodes.notSignedIn,
  403: exitCodes.forbidden,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  412: exitCodes.conflict,
  429: exitCodes.tooMany,
};
