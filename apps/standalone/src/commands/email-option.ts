import { Option } from "commander";

/** The account that a command is about. */
export const emailOption = () =>
  new Option("--email <email>", "e-mail address of the account").makeOptionMandatory();

/** Beside `--email`, where that selects an account. */
export const unverifiedOption = () =>
  new Option(
    "--unverified",
    "accept an account that has never proven its e-mail address, which may be somebody else's",
  );

/** The values of these two options. */
export interface EmailOptions {
  email: string;
  unverified?: true;
}
