#!/usr/bin/env node
// The start of a built Terse. Plain JavaScript, because an old Node must be able to run this file.
const programs = ["admin", "redirect", "mcp", "health"];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [, , first = ""] = process.argv;
const program = programs.includes(first) ? first : "service";

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Terse needs Node 22.18 or newer; this is Node ${process.versions.node}`);
  process.exit(1);
}
if (program === "service" && first !== "" && !first.startsWith("-")) {
  console.error(
    `Usage: node terse.js [${programs.join(" | ")}] [OPTIONS]; without a program it starts the service`,
  );
  process.exit(1);
}
if (program !== "service") process.argv.splice(2, 1);
await import(`./${program}.js`);
