import { join } from "node:path";

/** False in a checkout, where the programs are TypeScript. */
const isBuilt = !import.meta.filename.endsWith(".ts");

/** The folder at which relative paths in settings start: the checkout or, for a build, the working folder. */
export const rootFolder = (): string => (isBuilt ? process.cwd() : join(import.meta.dirname, "../../.."));

const inCheckout = { start: "npm start --", admin: "npm run --silent admin --", seed: "npm run seed --" };
const inBuild = { start: "node terse.js", admin: "node terse.js admin", seed: "node terse.js seed" };

/** How a person starts one of our programs on the command line; options follow. */
export const commandOf = (program: keyof typeof inCheckout): string =>
  (isBuilt ? inBuild : inCheckout)[program];
