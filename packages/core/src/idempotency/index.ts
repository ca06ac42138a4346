export {
  claim,
  deleteOldAnswers,
  type IdempotentRequest,
  requestOf,
  storeAnswer,
  storedAnswer,
} from "./answers.ts";
