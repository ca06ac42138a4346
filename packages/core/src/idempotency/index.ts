export { deleteOldAnswers } from "./answers.ts";
export { answeredOnce, claim, keep, type Once, performOnce } from "./once.ts";
