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

/** What a tool answers: the same fields as REST's `data`, and a sentence for people. */
export interface Answer {
  structured: Record<string, unknown>;
  text: string;
  /** The same as content that clients show; JSON where absent */
  content?: CallToolResult["content"];
}

/** A procedure of the core as assistants see it. */
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
  /** Name of the list in the answer, where the procedure answers one */
  list?: string;
  /** The procedure that answers instead where there is an `id`: for one link what the first does for all */
  forLink?: AnyProcedure;
  /** Arguments that take less than the procedure does */
  narrowed?: z.ZodRawShape;
  text(output: inferProcedureOutput<P>): string;
  content?(output: inferProcedureOutput<P>): CallToolResult["content"];
}

/** Makes a tool of a procedure: input and output are the procedure's. An `id` may also be a slug or a short URL. */
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
      const answering = link && forLink ? forLink : procedure;
      const output = (await callProcedure(answering, ctx, () => ({
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

/** A page as `{links: […], page, limit, …}`, any other list as `{days: […]}`. */
function listed(
  name: string,
  output: unknown[] | { data: unknown[]; meta: object },
): Record<string, unknown> {
  return Array.isArray(output) ? { [name]: output } : { [name]: output.data, ...output.meta };
}
