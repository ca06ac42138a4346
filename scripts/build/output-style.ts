/** Names stay, so that stack traces can be read without the source maps; entities and migrations go by them too. */
export const outputStyle = {
  sourcemap: true,
  keepNames: true,
  minify: { mangle: false, compress: true, codegen: true },
} as const;
