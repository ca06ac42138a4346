import type { Feature } from "../kernel/plans.ts";
import type { Scope } from "../kernel/names.ts";
import { leastRoleWith, type Permission, type Role } from "../kernel/roles.ts";
import type { AnyProcedure, AnyRouter, inferProcedureOutput } from "@trpc/server";
import * as z from "zod";
import type { Context } from "../kernel/context.ts";
import { roundTripFields, type RoundTripFields } from "../kernel/validation/inputs.ts";

/** Who may call a procedure; set by the procedure builders only. */
export interface Access {
  /** "session": only the session cookie of a recent sign-in */
  credential: "optional" | "required" | "session";
  feature?: Feature;
}

/** A procedure's place in the REST API. A structural subset of trpc-to-openapi's meta, so that core needs no HTTP. */
export interface RestMeta {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  tags: string[];
  summary: string;
  description?: string;
  successDescription: string;
  /**
   * Set if the body is a file: its media types, the input field that gets its bytes in Base64, or its text, and how many bytes
   * it may have. Other input fields are in the query string.
   */
  file?: { types: readonly string[]; field: string; maxBytes: number; isText?: true };
  /** A body that documents a valid request; default: one without fields */
  example?: Readonly<Record<string, unknown>>;
  /** Fields of the body of which exactly one is sent */
  eitherOf?: readonly string[];
  /** Largest body in bytes, if the default of transports is too small */
  maxBodyBytes?: number;
  /** Default 200 */
  successStatus?: 200 | 201 | 202;
  /**
   * Set if the operation may continue in the background: describes the answer 202, which is the second of its output's union
   */
  acceptedDescription?: string;
  /** The path of the operation that answers instead if the query has `format`: a file of what this one lists by pages */
  fileAt?: `/${string}`;
  /** Set if what is read, changed or deleted has an entity tag: with GET, If-None-Match holds, otherwise If-Match (412) */
  hasETag?: true;
  /** Schemas of a file by content type, if the answer is a file. Default: JSON */
  successContent?: Readonly<Record<string, z.ZodType>>;
  /** Schema of what the procedure may put into `meta` of the envelope */
  successMeta?: z.ZodType;
  /** Error statuses of this operation besides those that follow from its access and input */
  errors?: number[];
}

interface CommonMeta {
  access?: Access;
  /** The scope that an API key needs, or several of which it needs one */
  scope?: Scope | readonly Scope[];
  /** What the caller's role in the workspace must include, if that is not one of `scope`; null for a person's own things */
  permission?: Permission | null;
  /**
   * Set if the operation itself checks the role further, once it knows what it is about: what the role in the workspace that
   * the path names must include, or the role of callers for whom it is not about themselves
   */
  permissionInside?: Permission;
  /** Set if it stores nothing, although it is called by POST: then its account may keep reading from replicas */
  storesNothing?: true;
  /** Set if the answer has a secret: with an Idempotency-Key, only the credential that made the request gets it again */
  hasSecret?: true;
}

/** The metadata of a procedure, as transports read it. */
export interface Meta extends CommonMeta {
  openapi?: RestMeta;
}

/** The same as procedures declare it: with the fields of the REST API among the rest. */
export type StatedMeta = CommonMeta &
  (
    | { route?: undefined }
    | ({ route: `${RestMeta["method"]} ${RestMeta["path"]}`; tag: string } & Omit<
        RestMeta,
        "method" | "path" | "tags"
      >)
  );

export function metaOf(stated: StatedMeta): Meta {
  if (stated.route === undefined) return stated;
  const { route, tag, ...rest } = stated;
  const [method, path] = route.split(" ") as [RestMeta["method"], RestMeta["path"]];
  return { ...rest, openapi: { ...rest, method, path, tags: [tag] } };
}

/**
 * A procedure's definition for transports. tRPC keeps it in `_def` without types: if a new version keeps it elsewhere, every
 * test that walks over the router fails.
 */
export interface Definition {
  type: "query" | "mutation";
  meta: Meta & { access: Access };
  takesInput: boolean;
  /** The input's fields by name */
  fields: z.ZodRawShape;
  /** Whether a field that is not among them is an error */
  refusesUnknown: boolean;
  /** Names that an update accepts besides its fields */
  roundTripFields: RoundTripFields | undefined;
  output: z.ZodType;
  /** The parts of the output if it is a page of a list */
  page: { data: z.ZodArray; meta: z.ZodObject } | undefined;
}

/** What the caller's role in the workspace must include to get past the door: one of these, or nothing if there are none. */
export const permissionsOf = ({ scope, permission }: CommonMeta): Permission[] =>
  permission === undefined ? [scope ?? []].flat() : [permission ?? []].flat();

/** The smallest role in the workspace with which an operation does its work; null if it is about the caller alone. */
export function leastRoleOf(meta: CommonMeta): Role | null {
  const needed = meta.permissionInside === undefined ? permissionsOf(meta) : [meta.permissionInside];
  return needed.length === 0 ? null : leastRoleWith(...needed);
}

/** Every procedure of the router by its dotted name, in the router's order. */
export const proceduresOf = (router: AnyRouter): [name: string, procedure: AnyProcedure][] =>
  Object.entries(router._def.procedures as unknown as Record<string, AnyProcedure>);

export function definitionOf(procedure: AnyProcedure): Definition {
  const { inputs, ...made } = procedure._def as unknown as Definition & { inputs: z.ZodType[] };
  const [input] = inputs;
  const { type, meta, output } = made;
  const object = input && objectIn(input);
  return {
    type,
    meta,
    takesInput: input !== undefined,
    fields: object?.shape ?? {},
    refusesUnknown: object?.def.catchall instanceof z.ZodNever,
    roundTripFields: input && roundTripFields.get(input),
    output,
    page: pageOf(output),
  };
}

const names = new WeakMap<AnyProcedure, string>();

/** Lets procedures be measured by their names when they are called without a router. */
export function nameProcedures(router: AnyRouter): void {
  for (const [name, procedure] of proceduresOf(router)) names.set(procedure, name);
}

/**
 * Calls a procedure as transports do: it authorizes the caller before it reads and parses the input, which is read once.
 * @throws {AppError} only
 */
export const callProcedure = <P extends AnyProcedure>(
  procedure: P,
  ctx: Context,
  getInput: () => unknown,
  signal?: AbortSignal,
): Promise<inferProcedureOutput<P>> => {
  let input: Promise<unknown> | undefined;
  const readOnce = async () => getInput();
  return procedure({
    ctx,
    path: names.get(procedure) ?? "",
    type: procedure._def.type,
    getRawInput: () => (input ??= readOnce()),
    signal,
    batchIndex: 0,
  });
};

/** Unwraps defaults and transforms around the object of fields. */
function objectIn(input: z.ZodType): z.ZodObject | undefined {
  let schema: unknown = input;
  while (!(schema instanceof z.ZodObject)) {
    if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
      schema = schema.unwrap();
    else if (schema instanceof z.ZodPipe)
      schema = schema.in instanceof z.ZodTransform ? schema.out : schema.in;
    else return undefined;
  }
  return schema;
}

function pageOf(output: z.ZodType): Definition["page"] {
  const isPage = output instanceof z.ZodObject && "data" in output.shape && "meta" in output.shape;
  return isPage ? (output.shape as NonNullable<Definition["page"]>) : undefined;
}
