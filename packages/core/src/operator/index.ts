export { type OperatorRouter, operatorRouter } from "./router.ts";
