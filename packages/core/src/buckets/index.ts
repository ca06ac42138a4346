export { bucketsRouter } from "./router.ts";
