import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { appRouter, type Context } from "@terse/core";
import type { AnyProcedure, inferProcedureOutput } from "@trpc/server";
import * as z from "zod";
import { type Arguments, fieldsOf, listSchema, outputOf } from "./schemas.ts";

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
  title: string;
  description: string;
  hints: Hints;
  input: z.ZodObject;
  output: z.ZodObject;
  run(ctx: Context, args: Arguments): Promise<Answer>;
}

interface About<P extends AnyProcedure> extends Pick<Tool, "title" | "description" | "hints"> {
  /** Name of the list in the answer, where the procedure answers one: an answer must be an object */
  list?: string;
  text(output: inferProcedureOutput<P>): string;
  content?(output: inferProcedureOutput<P>): CallToolResult["content"];
}

const locate = appRouter.links.locate;

/** Makes a tool of a procedure. Input and output are the procedure's; an `id` may also be a slug or a short URL. */
export function tool<P extends AnyProcedure>(
  procedure: P,
  { list, text, content, ...about }: About<P>,
): Tool {
  const fields = fieldsOf(procedure);
  const byId = "id" in fields;
  return {
    ...about,
    input: z.strictObject({ ...fields, ...(byId && fieldsOf(locate)) }),
    output: list === undefined ? (outputOf(procedure) as z.ZodObject) : listSchema(list, outputOf(procedure)),
    async run(ctx, args) {
      const input = byId ? { ...args, ...((await call(locate, ctx, { id: args["id"] })) as object) } : args;
      const output = (await call(procedure, ctx, input)) as inferProcedureOutput<P>;
      return {
        structured: list === undefined ? output : listed(list, output),
        text: text(output),
        ...(content && { content: content(output) }),
      };
    },
  };
}

const call = (procedure: AnyProcedure, ctx: Context, input: unknown): Promise<unknown> =>
  procedure({
    ctx,
    path: "",
    type: procedure._def.type,
    getRawInput: async () => input,
    signal: undefined,
    batchIndex: 0,
  });

/** A page as `{links: […], page, limit, …}`, any other list as `{buckets: […]}`. */
function listed(
  name: string,
  output: unknown[] | { data: unknown[]; meta: object },
): Record<string, unknown> {
  return Array.isArray(output) ? { [name]: output } : { [name]: output.data, ...output.meta };
}
