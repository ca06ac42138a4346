export { createClicks } from "./record.ts";
