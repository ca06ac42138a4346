import { Option } from "commander";

/** The account that a command is about. */
export const emailOption = () =>
  new Option("--email <email>", "e-mail address of the account").makeOptionMandatory();
