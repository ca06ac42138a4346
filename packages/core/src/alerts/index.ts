export { evaluateAlerts } from "./evaluate.ts";
export { alertsRouter } from "./router.ts";
