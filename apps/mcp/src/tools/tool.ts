import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { AppError, callProcedure, type Context } from "@terse/core";
import type { AnyProcedure, inferProcedureOutput } from "@trpc/server";
import * as z from "zod";
import {
  answerOf,
  answerOfEither,
  answerWith,
  type Arguments,
  argumentsOf,
  argumentsOfEither,
  locate,
  rowOf,
} from "./schemas.ts";
import { usualWords, type Words } from "./words.ts";
import { fieldsArgument, selectFields, type UsualFields } from "./rows.ts";

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
  /** What assistants read about the arguments, by name */
  words: Words;
  /** Whether null is listed as a value that clears a field */
  clears: boolean;
  /** Whether what arguments consist of is described, too, as for REST; otherwise only arguments are */
  describesMembers: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
  run(ctx: Context, args: Arguments): Promise<Answer>;
}

interface About<P extends AnyProcedure> extends Pick<Tool, "title" | "description" | "hints"> {
  /** Where the usual words for an argument do not fit */
  words?: Words;
  clears?: boolean;
  describesMembers?: boolean;
  /** The tool that lists these ids, if `id` is not that of a link; nothing but an id is accepted then */
  idOf?: string;
  /** Whether the id of a deleted link is accepted, too */
  takesDeleted?: boolean;
  /** Arguments of the procedure that the tool does not take */
  omitted?: readonly string[];
  /** Name of the list in the result, if the procedure returns a list */
  list?: string;
  /** Called instead if `id` is given: does for one link what the first procedure does for all */
  forLink?: AnyProcedure;
  /** The usual fields of the list's rows, or of a report without a list; the argument `fields` selects others */
  usual?: UsualFields;
  /** Arguments that accept less than the procedure does */
  narrowed?: z.ZodRawShape;
  /** Arguments of the procedure that the tool sets itself */
  fixed?: Arguments;
  text(output: inferProcedureOutput<P>): string;
  /** `again` calls the procedure once more, with these arguments changed. */
  content?(
    output: inferProcedureOutput<P>,
    again: (changed: Arguments) => Promise<inferProcedureOutput<P>>,
  ): Promise<CallToolResult["content"]>;
}

/** Creates a tool from a procedure, with its input and output. An `id` may also be a slug or a short URL. */
export function tool<P extends AnyProcedure>(procedure: P, about: About<P>): Tool {
  const { list, usual, forLink, narrowed, fixed = {}, omitted = [], text, content, ...rest } = about;
  const { idOf, takesDeleted = false, ...shown } = rest;
  const isAboutLink = idOf === undefined;
  const taken = forLink ? argumentsOfEither(procedure, forLink) : argumentsOf(procedure, isAboutLink);
  const left = new Set([...omitted, ...Object.keys(fixed)]);
  const fields = Object.fromEntries(Object.entries(taken).filter(([name]) => !left.has(name)));
  const whole = forLink ? answerOfEither(procedure, forLink) : answerOf(procedure, list);
  const selectable = usual && (list === undefined ? whole : rowOf(procedure));
  return {
    procedure,
    ...shown,
    clears: shown.clears ?? false,
    describesMembers: shown.describesMembers ?? false,
    words: {
      ...usualWords,
      ...(!isAboutLink && { id: `Id of ${idOf}, such as 0190…` }),
      ...shown.words,
    },
    input: z.strictObject({
      ...fields,
      ...narrowed,
      ...(selectable && { fields: fieldsArgument(selectable) }),
    }),
    output: selectable ? answerWith(selectable.partial(), procedure, list) : whole,
    async run(ctx, { fields: selected, ...args }) {
      const link =
        isAboutLink &&
        procedure !== locate &&
        "id" in fields &&
        args["id"] !== undefined &&
        (await linkOf(ctx, args["id"], takesDeleted));
      const target = link && forLink ? forLink : procedure;
      const call = async (changed?: Arguments) =>
        (await callProcedure(target, ctx, () => ({
          ...args,
          ...link,
          ...fixed,
          ...changed,
        }))) as inferProcedureOutput<P>;
      const output = await call();
      const select = (item: Arguments, rows?: number) =>
        usual ? selectFields(item, usual, selected, rows) : item;
      return {
        structured: list === undefined ? select(output) : listed(list, output, select),
        text: text(output),
        ...(content && { content: await content(output, call) }),
      };
    },
  };
}

/** The link that an argument names. One that is not found is left to the procedure if that knows deleted links. */
async function linkOf(ctx: Context, id: unknown, takesDeleted: boolean): Promise<Arguments> {
  try {
    return (await callProcedure(locate, ctx, () => ({ id }))) as Arguments;
  } catch (error) {
    if (takesDeleted && error instanceof AppError && error.code === "NOT_FOUND") return { id };
    throw error;
  }
}

/** Returns a page as `{links: […], page, limit, …}` and any other list as `{days: […]}`. */
function listed(
  name: string,
  output: Arguments[] | { data: Arguments[]; meta: object },
  select: (item: Arguments, rows: number) => Arguments,
): Record<string, unknown> {
  const rowsOf = (items: Arguments[]) => items.map((item) => select(item, items.length));
  if (Array.isArray(output)) return { [name]: rowsOf(output) };
  return { [name]: rowsOf(output.data), ...output.meta };
}
