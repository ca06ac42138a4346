// Editors look for this name; the projects stand in vitest.workspace.ts.
export { default } from "./vitest.workspace.ts";
