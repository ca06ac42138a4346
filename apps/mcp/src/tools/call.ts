import type { CallToolResult } from "@modelcontextprotocol/server";
import { AppError, parseOr400, toFailure } from "@terse/core";
import type { Caller } from "../caller.ts";
import type { Arguments } from "./schemas.ts";
import type { Tool } from "./tool.ts";

/**
 * Runs a tool. Failures are results that tell the assistant how to continue, never protocol errors. Logs one line with
 * the HTTP status that the failure would have over REST; the status of the request itself is always 200.
 */
export async function callTool(
  { core, actor, logger }: Caller,
  name: string,
  tool: Tool,
  args: Arguments,
): Promise<CallToolResult> {
  try {
    checkArguments(name, tool, args);
    const answer = await tool.run(core.createContext(actor), args);
    logger.info({ tool: name, status: 200 }, "tool call");
    // The content repeats the whole output, because some clients show the model nothing else.
    const { structured, text, content = [{ type: "text", text: JSON.stringify(structured) }] } = answer;
    return { content: [{ type: "text", text }, ...content], structuredContent: structured };
  } catch (error) {
    const { status, message } = toFailure(error);
    if (status >= 500) logger.error({ tool: name, status, err: error }, "tool call failed");
    else logger.info({ tool: name, status }, "tool call");
    return { isError: true, content: [{ type: "text", text: message }] };
  }
}

/** Applies the listed schema; an unknown argument is an error that lists the known ones. */
function checkArguments(name: string, { input }: Tool, args: Arguments): void {
  const known = Object.keys(input.shape);
  const unknown = Object.keys(args).find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    throw new AppError("BAD_REQUEST", `${unknown}: no such argument; ${name} takes ${known.join(", ")}`);
  }
  parseOr400(input, args);
}
