export { createModeration } from "./moderation.ts";
