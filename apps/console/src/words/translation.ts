import type { StepCode } from "@terse/core/browser";
import type { Strings } from "./en.ts";
import type { Template } from "./fill.ts";

/** A language other than English, in which the service itself speaks: also what the service says, by its codes. */
export interface Translation extends Strings {
  /** Why a call was refused, without the field that it is about */
  refusals: Readonly<Record<string, Template>>;
  /** Why a visitor of a link ends up where, one rule after the other */
  steps: Readonly<Record<StepCode, Template>>;
}
