export { type Click, type Clicks, createClicks } from "./record.ts";
