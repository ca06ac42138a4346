import type { IssueCode, StepCode } from "@terse/core/browser";
import type { Strings } from "./en.ts";
import type { Template } from "./fill.ts";

/** Refusals that only programs meet, or people on other pages: those of requests, keys, sign-in and the admin commands. */
type Elsewhere =
  | "unknown_field"
  | "ambiguous"
  | "either_of"
  | "scope_required"
  | "credential_refused"
  | "exceeds_credential"
  | "method_not_allowed"
  | "wrong_media_type"
  | "key_reused"
  | "answer_lost"
  | "database_in_use"
  | "database_not_empty"
  | "interrupted"
  | "file_exists";

/** A language other than English, in which the service itself speaks: also what the service says, by its codes. */
export interface Translation extends Strings {
  /** Why a call was refused, without the field that it is about */
  refusals: Readonly<Record<Exclude<IssueCode, Elsewhere>, Template>>;
  /** Why a visitor of a link ends up where, one rule after the other */
  steps: Readonly<Record<StepCode, Template>>;
}
