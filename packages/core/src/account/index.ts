export { eraseAccount } from "./erase.ts";
export { accountRouter } from "./router.ts";
export { createUpkeep } from "./upkeep.ts";
