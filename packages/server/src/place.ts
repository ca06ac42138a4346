import { join } from "node:path";

/** False in a checkout, where the programs are TypeScript. */
const isBuilt = !import.meta.filename.endsWith(".ts");

/** The folder at which relative paths in settings start: the checkout or, for a build, the working folder. */
export const rootFolder = (): string => (isBuilt ? process.cwd() : join(import.meta.dirname, "../../.."));

/** How a person starts our programs on the command line; options follow. */
export const commands = {
  checkout: { start: "npm start --", admin: "./terse admin" },
  build: { start: "node terse.js", admin: "node terse.js admin" },
} as const;

/** How a person starts one of our programs here. */
export const commandOf = (program: keyof typeof commands.checkout): string =>
  commands[isBuilt ? "build" : "checkout"][program];
