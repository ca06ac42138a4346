export { createWebhooks } from "./delivery/deliver.ts";
export { webhooksRouter } from "./router.ts";
