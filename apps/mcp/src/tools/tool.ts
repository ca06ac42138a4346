import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { AppError, callProcedure, type Context } from "@terse/core";
import type { AnyProcedure, inferProcedureOutput } from "@trpc/server";
import * as z from "zod";
import { clearableIn, clearArgument, withCleared } from "./clear.ts";
import { idNamed, type Listing } from "./named.ts";
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
import { fieldsArgument, inFull, selectFields, type UsualFields } from "./rows.ts";

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
  /** Names of the fields that the argument `clear` removes; none if the tool does not have it */
  clearable: readonly string[];
  /** Which argument has these fields, if they are no arguments themselves */
  clearsIn: string | undefined;
  /** A field with a file, which is left out if it is too long, because a part of it is of no use */
  file: string | undefined;
  /** What to ask for the rest of an answer that was cut off because it was too long */
  next: string;
  /** Whether what arguments consist of is described, too, as for REST; otherwise only arguments are */
  describesMembers: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
  run(ctx: Context, args: Arguments): Promise<Answer>;
}

interface About<P extends AnyProcedure> extends Pick<Tool, "title" | "description" | "hints"> {
  /** Where the usual words for an argument do not fit */
  words?: Words;
  /** The tool takes `clear`, which removes fields of the tool itself or of one of its arguments. */
  clears?: true | "set" | "draft";
  next?: string;
  file?: string;
  describesMembers?: boolean;
  /** The tool that lists these ids, if `id` is not that of a link */
  idOf?: string;
  /** How else its user may name it; without it, nothing but an id of `idOf` is accepted */
  named?: Listing;
  /** Whether the id of a deleted link is accepted, too */
  takesDeleted?: boolean;
  /** Arguments of the procedure that the tool does not take */
  omitted?: readonly string[];
  /** Name of the list in the result, if the procedure returns a list */
  list?: string;
  /** Called instead if `id` is given: does for one link what the first procedure does for all */
  forLink?: AnyProcedure;
  /** The usual fields of the list's rows, or of an answer without a list; the argument `fields` selects others */
  usual?: UsualFields | "all";
  /** Arguments that accept less than the procedure does */
  narrowed?: z.ZodRawShape;
  /** Arguments of the procedure that the tool sets itself */
  fixed?: Arguments;
  text(output: inferProcedureOutput<P>, args: Arguments): string;
  /** `again` calls the procedure once more, with these arguments changed. */
  content?(
    output: inferProcedureOutput<P>,
    again: (changed: Arguments) => Promise<inferProcedureOutput<P>>,
  ): Promise<CallToolResult["content"]>;
}

/** Creates a tool from a procedure, with its input and output. An `id` may also be a slug or a short URL. */
export function tool<P extends AnyProcedure>(procedure: P, about: About<P>): Tool {
  const { list, usual, forLink, narrowed, fixed = {}, omitted = [], text, content, ...rest } = about;
  const { idOf, named, takesDeleted = false, clears, ...shown } = rest;
  const isAboutLink = idOf === undefined;
  const taken = forLink ? argumentsOfEither(procedure, forLink) : argumentsOf(procedure, isAboutLink);
  const left = new Set([...omitted, ...Object.keys(fixed)]);
  const fields = Object.fromEntries(Object.entries(taken).filter(([name]) => !left.has(name)));
  const whole = forLink ? answerOfEither(procedure, forLink) : answerOf(procedure, list);
  const clearsIn = clears === true ? undefined : clears;
  const clearable = clears === undefined ? [] : clearableIn(fields, clearsIn);
  const selectable = usual && (list === undefined ? whole : rowOf(procedure));
  const usualFields = usual === "all" ? inFull(...Object.keys((selectable as z.ZodObject).shape)) : usual;
  return {
    procedure,
    ...shown,
    clearable,
    clearsIn,
    next: shown.next ?? "",
    file: shown.file,
    describesMembers: shown.describesMembers ?? false,
    words: {
      ...usualWords,
      ...(!isAboutLink && { id: named ? named.words : `Id of ${idOf}, such as 0190…` }),
      ...shown.words,
    },
    input: z.strictObject({
      ...fields,
      ...narrowed,
      ...(clearable.length > 0 && { clear: clearArgument(clearable) }),
      ...(selectable && { fields: fieldsArgument(selectable) }),
    }),
    output: selectable ? answerWith(selectable.partial(), procedure, list) : whole,
    async run(ctx, { fields: selected, clear, ...given }) {
      const args = withCleared(given, clear, clearsIn);
      if (named) args["id"] = await idNamed(ctx, named, args["id"]);
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
        usualFields ? selectFields(item, usualFields, selected, rows) : item;
      return {
        structured: list === undefined ? select(output) : listed(list, output, select),
        text: text(output, given),
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
