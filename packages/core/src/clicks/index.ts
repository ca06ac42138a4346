export { createClicks } from "./clicks.ts";
