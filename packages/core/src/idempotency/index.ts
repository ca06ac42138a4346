export { deleteOldAnswers } from "./answers.ts";
export { createOne } from "./create-one.ts";
export { answeredOnce, claim, keep, type Once, performOnce } from "./once.ts";
