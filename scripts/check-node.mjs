// Plain JavaScript, because an old Node must be able to run this file.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Terse runs TypeScript directly and needs Node 22.18 or newer; this is Node ${process.versions.node}, and the npm package "node" has no build for ${process.platform}-${process.arch}. Install a newer Node from your package manager and run the command again.`,
  );
  process.exit(1);
}
