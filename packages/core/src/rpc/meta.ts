import type * as z from "zod";
import type { Feature } from "../kernel/plans.ts";
import type { Scope } from "../kernel/scopes.ts";

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
  /** Set if the operation may go on in the background: describes the answer 202, which is the second of its output's union */
  acceptedDescription?: string;
  /** Set if what is read, changed or deleted has an entity tag: with GET, If-None-Match holds, otherwise If-Match (412) */
  hasETag?: true;
  /** Schemas of a file by content type, if the answer is a file. Default: JSON */
  successContent?: Readonly<Record<string, z.ZodType>>;
  /** Schema of what the procedure may put into `meta` of the envelope */
  successMeta?: z.ZodType;
  /** Error statuses of this operation besides those that follow from its access and input */
  errors?: number[];
}

/** The metadata of a procedure. */
export interface Meta {
  access?: Access;
  /** The scope that an API key needs, or several of which it needs one */
  scope?: Scope | readonly Scope[];
  /** Set if it stores nothing, although it is called by POST: then its account may go on reading from replicas */
  storesNothing?: true;
  /** Set if the answer has a secret: with an Idempotency-Key, only the credential that made the request gets it again */
  hasSecret?: true;
  openapi?: RestMeta;
}
