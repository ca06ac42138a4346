export { createGuesses } from "./guesses.ts";
export { createRedirects } from "./resolve.ts";
