export { decide, type Rule } from "./decide.ts";
export { createGuesses } from "./guesses.ts";
export { createRedirects } from "./resolve.ts";
export { issuePass } from "./pass.ts";
export { toRoute } from "./route.ts";
