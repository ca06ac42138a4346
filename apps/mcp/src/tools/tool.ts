import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { callProcedure, type Context } from "@terse/core";
import type { AnyProcedure, inferProcedureOutput } from "@trpc/server";
import * as z from "zod";
import {
  answerOf,
  answerOfEither,
  type Arguments,
  argumentsOf,
  argumentsOfEither,
  locate,
} from "./schemas.ts";

export type Hints = Required<
  Pick<ToolAnnotations, "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">
>;

/** The result of a tool: the same fields as REST's `data`, and a summary for people. */
export interface Answer {
  structured: Record<string, unknown>;
  text: string;
  /** The result in a form that clients display; JSON by default */
  content?: CallToolResult["content"];
}

/** A core procedure as an MCP tool. */
export interface Tool {
  procedure: AnyProcedure;
  title: string;
  description: string;
  hints: Hints;
  input: z.ZodObject;
  output: z.ZodObject;
  run(ctx: Context, args: Arguments): Promise<Answer>;
}

interface About<P extends AnyProcedure> extends Pick<Tool, "title" | "description" | "hints"> {
  /** Name of the list in the result, if the procedure returns a list */
  list?: string;
  /** Called instead if `id` is given: does for one link what the first procedure does for all */
  forLink?: AnyProcedure;
  /** Arguments that accept less than the procedure does */
  narrowed?: z.ZodRawShape;
  text(output: inferProcedureOutput<P>): string;
  content?(output: inferProcedureOutput<P>): CallToolResult["content"];
}

/** Creates a tool from a procedure, with its input and output. An `id` may also be a slug or a short URL. */
export function tool<P extends AnyProcedure>(procedure: P, about: About<P>): Tool {
  const { list, forLink, narrowed, text, content, ...shown } = about;
  const fields = forLink ? argumentsOfEither(procedure, forLink) : argumentsOf(procedure);
  return {
    procedure,
    ...shown,
    input: z.strictObject({ ...fields, ...narrowed }),
    output: forLink ? answerOfEither(procedure, forLink) : answerOf(procedure, list),
    async run(ctx, args) {
      const link =
        "id" in fields &&
        args["id"] !== undefined &&
        (await callProcedure(locate, ctx, () => ({ id: args["id"] })));
      const target = link && forLink ? forLink : procedure;
      const output = (await callProcedure(target, ctx, () => ({
        ...args,
        ...link,
      }))) as inferProcedureOutput<P>;
      return {
        structured: list === undefined ? output : listed(list, output),
        text: text(output),
        ...(content && { content: content(output) }),
      };
    },
  };
}

/** Returns a page as `{links: […], page, limit, …}` and any other list as `{days: […]}`. */
function listed(
  name: string,
  output: unknown[] | { data: unknown[]; meta: object },
): Record<string, unknown> {
  return Array.isArray(output) ? { [name]: output } : { [name]: output.data, ...output.meta };
}
