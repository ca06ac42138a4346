import { parseArgs } from "node:util";
import { ApiError, ConnectionError, createClient } from "@terse/client";
import {
  type Command,
  type Invocation,
  NotSignedIn,
  type Place,
  PlanNeeded,
  type Program,
  UsageError,
} from "./command.ts";
import { program as published } from "./commands/index.ts";
import { addressOf, exposureOf, urlOf } from "./config.ts";
import { credentialFor } from "./credential.ts";
import { commandHelp, generalHelp, groupHelp } from "./help.ts";
import { quickFetch } from "./http.ts";
import { named } from "./program.ts";
import { createTerminal, linesOf, type Terminal } from "./terminal.ts";
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
export async function run(
  given: readonly string[],
  variables: NodeJS.ProcessEnv,
  program: Program = published,
): Promise<number> {
  // A reader such as `head` may close the pipe before everything is written.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const text = (help: string) => (process.stdout.write(`${help}\n`), 0);
  const isInWorkspace = given[0] === "--workspace" && given.length > 2;
  const argv = isInWorkspace ? given.slice(2) : given;
  const env = isInWorkspace ? { ...variables, TERSE_WORKSPACE: given[1] } : variables;
  const isHelp = argv[0] === "help";
  const words = isHelp ? argv.slice(1) : argv;
  const { member: command, rest } = named(program.commands, words);
  const { member: group, rest: inGroup } = named(program.groups, words);
  const [next = ""] = command ? rest : group ? inGroup : words;
  const asksForHelp = isHelp || rest.includes("--help") || rest.includes("-h");
  if (!command && (next === "--version" || next === "-v")) return text(version);
  if (!command && !group && (next === "" || asksForHelp)) return text(generalHelp(program));
  try {
    if (command && asksForHelp) return text(commandHelp(command));
    if (command) {
      await command.run(invocationOf(command, rest, env, program));
      return Number(process.exitCode ?? 0);
    }
    if (group && next !== "" && asksForHelp && next.startsWith("-")) return text(groupHelp(program, group));
    if (group && next === "" && isHelp) return text(groupHelp(program, group));
    if (group && next === "") {
      process.stderr.write(`${groupHelp(program, group)}\n`);
      return group.usage ?? exitCodes.usage;
    }
    throw new UsageError(`No such command: ${[group?.name, next].filter(Boolean).join(" ")}`);
  } catch (error) {
    const usage = program.groups.find(({ name }) => name === words[0])?.usage;
    const isJson = rest.includes("--json");
    return explain(error, { name: command?.name ?? group?.name, env, usage, isJson });
  }
}

/** Reads the arguments of a command. */
function invocationOf(
  command: Command,
  argv: string[],
  env: NodeJS.ProcessEnv,
  program: Program,
): Invocation {
  const { values, positionals } = parsed(command, argv);
  const [least, most] = countsOf(command.args);
  if (positionals.length < least) throw new UsageError(`${command.args} is missing`);
  if (positionals.length > most) throw new UsageError(`unexpected argument: ${positionals[most]}`);
  for (const [name, { choices, required }] of Object.entries(command.options ?? {})) {
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing`);
    for (const value of [values[name] ?? []].flat())
      if (choices && !choices.includes(String(value)))
        throw new UsageError(`--${name}: must be one of ${choices.join(", ")}`);
  }
  const first = positionals[0];
  if (command.choices && first !== undefined && !command.choices.includes(first))
    throw new UsageError(`${first}: must be one of ${command.choices.join(", ")}`);
  const text = (name: string) => [values[name]].flat().at(-1) as string | undefined;
  const terminal = createTerminal(env, values["json"] === true);
  let place: Place | undefined;
  const findPlace = (): Place => {
    const url = urlOf(env, text("url"));
    const exposure = exposureOf(env);
    if (exposure !== null) terminal.note(`terse: ${exposure}`);
    return { url, workspace: env["TERSE_WORKSPACE"] || undefined, credential: credentialFor(env, url) };
  };
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
    program,
    env,
    // Read when a command asks for it: those for the machine of a service need no address and no key.
    get place() {
      return (place ??= findPlace());
    },
    get client() {
      return createClient({
        baseUrl: this.place.url,
        key: this.place.credential,
        workspace: this.place.workspace,
        headers: { "User-Agent": `terse/${version}` },
        fetch: sayingWhyItWaits(terminal),
      });
    },
  };
}

/** The client tries again later if the service says so. A person should know why nothing happens. */
const sayingWhyItWaits = (terminal: Terminal) =>
  (async (url: string, init?: RequestInit) => {
    const answer = await quickFetch(url, init);
    const seconds = answer.headers.get("Retry-After");
    if (answer.status === 429 && seconds !== null)
      terminal.note(`terse: rate limit exceeded; waiting ${seconds} s`);
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

interface Called {
  /** The command, or the group */
  name: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Exit status of a wrong command line */
  usage: number | undefined;
  isJson: boolean;
}

/** Says what went wrong, for `--json` as one JSON document, and with which status the program ends. */
function explain(error: unknown, { name, env, usage, isJson }: Called): number {
  const terminal = createTerminal(env, false);
  const say = (sentence: string) => {
    if (!isJson) terminal.note(`terse: ${sentence}`);
  };
  terminal.progress(null);
  if (isJson) terminal.note(JSON.stringify(asJson(error)));
  if (error instanceof UsageError) {
    say(`${error.message}. See: terse ${name ? `${name} ` : ""}--help`);
    return usage ?? exitCodes.usage;
  }
  if (isOfAnother(error)) {
    say(`The service does not answer like Terse: ${error.message}`);
    say(whereToSet(env));
    return exitCodes.unavailable;
  }
  for (const line of error instanceof Error ? linesOf(error) : [String(error)]) say(line);
  if (error instanceof PlanNeeded) return exitCodes.forbidden;
  const isRefused = error instanceof NotSignedIn || (error instanceof ApiError && error.status === 401);
  if (isRefused) say("sign in with: terse login");
  if (error instanceof NotSignedIn) return exitCodes.notSignedIn;
  if (error instanceof ConnectionError) {
    say(whereToSet(env));
    return exitCodes.unavailable;
  }
  if (!(error instanceof ApiError)) return exitCodes.failed;
  if (error.status >= 500 && error.requestId) say(`request id: ${error.requestId}`);
  return statuses[error.status] ?? (error.status >= 500 ? exitCodes.unavailable : exitCodes.failed);
}

/** An error for other programs. */
function asJson(error: unknown): object {
  const sentence = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { error: sentence };
  const { status, code, requestId: request_id, issues } = error;
  return { error: sentence, status, code, request_id, issues };
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
