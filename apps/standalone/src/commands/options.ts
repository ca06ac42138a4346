import { planNames } from "@terse/core";
import { Option } from "commander";

/** Which account a command is about. */
export const email = () =>
  new Option("--email <email>", "e-mail address of the account").makeOptionMandatory();

export const plan = () => new Option("--plan <plan>", "what the account may do").choices(planNames);
