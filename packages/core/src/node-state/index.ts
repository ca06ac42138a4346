export { createNodeState } from "./node-state.ts";
