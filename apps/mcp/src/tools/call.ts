import type { CallToolResult } from "@modelcontextprotocol/server";
import { AppError, issue, parseOr400, toFailure } from "@terse/core";
import type { Caller } from "../caller.ts";
import { assertNoAccidentalClear } from "./clear.ts";
import { listedSchemas } from "./listed-schema.ts";
import { readArguments } from "./read-arguments.ts";
import type { Arguments } from "./schemas.ts";
import { maxTokens, shortenText, shortenTo, tokensIn, usualTokens } from "./size.ts";
import type { Answer, Tool } from "./tool.ts";

/**
 * Runs a tool. Failures are results that tell the assistant how to continue, in a sentence and as `issues`, never protocol errors.
 * Logs one line with the HTTP status that the failure would have over REST; the status of the request itself is always 200.
 */
export async function callTool(
  { core, actor, logger }: Caller,
  name: string,
  tool: Tool,
  sent: Arguments,
): Promise<CallToolResult> {
  try {
    const { args, nulls } = readArguments(listedSchemas(tool).arguments, sent);
    assertNoAccidentalClear(tool, args, nulls);
    checkArguments(name, tool, args);
    const answer = await tool.run(core.createContext(actor), args);
    logger.info({ tool: name, status: 200 }, "tool call");
    return resultOf(tool, answer, args, nulls);
  } catch (error) {
    const { status, message, issues } = toFailure(error);
    if (status >= 500) logger.error({ tool: name, status, err: error }, "tool call failed");
    else logger.info({ tool: name, status }, "tool call");
    return { isError: true, content: [{ type: "text", text: message }], structuredContent: { issues } };
  }
}

/**
 * An answer as a model reads it: whole if it is short enough, with notes on anything the answer itself does not show.
 */
function resultOf(
  tool: Tool,
  { structured: whole, text, content }: Answer,
  args: Arguments,
  nulls: string[],
) {
  const asksForMore = tool.file !== undefined || sizing.some((name) => args[name] !== undefined);
  const shortText = shortenText(text);
  const room = (asksForMore ? maxTokens : usualTokens) - tokensIn(shortText);
  const { answer, cuts } = shortenTo(whole, room, tool.file);
  const notes = [
    args["dry_run"] === true && "Dry run: nothing was changed",
    args["clear"] !== undefined && `Removed: ${(args["clear"] as string[]).join(", ")}`,
    tool.clearable.length > 0 &&
      nulls.length > 0 &&
      `Unchanged, because null: ${nulls.join(", ")}; clear removes fields`,
    cuts.length > 0 && `Cut off: ${cuts.join("; ")}. ${tool.next}`.trimEnd(),
  ].filter((note) => note !== false);
  const structuredContent = { ...answer, ...(notes.length > 0 && { note: notes.join(". ") }) };
  // The content repeats the whole output, because some clients show the model nothing else.
  const shown = content ?? [{ type: "text" as const, text: JSON.stringify(structuredContent) }];
  return { content: [{ type: "text" as const, text: shortText }, ...shown], structuredContent };
}

/** Arguments that say how much an answer has */
const sizing = ["fields", "limit", "granularity", "from", "links", "ids"];

/** Applies the listed schema; an unknown argument is an error that lists the known ones. */
function checkArguments(name: string, { input }: Tool, args: Arguments): void {
  const known = Object.keys(input.shape);
  const unknown = Object.keys(args).find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    const message = `no such argument; ${name} takes ${known.join(", ")}`;
    throw new AppError("BAD_REQUEST", issue([unknown], "unknown_field", message, { fields: [unknown] }));
  }
  parseOr400(input, args);
}
