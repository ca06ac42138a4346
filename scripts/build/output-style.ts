/**
 * Functions and classes keep their names, so that stack traces can be read without the source maps; entities and migrations go by
 * them too. Variables inside of functions get short ones.
 */
export const outputStyle = {
  sourcemap: true,
  keepNames: true,
  minify: { mangle: { toplevel: false, keepNames: true }, compress: true, codegen: true },
} as const;
