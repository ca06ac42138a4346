/** The world as SVG paths, made while the console is built: browsers need neither the atlas nor the projection. */
export interface Outlines {
  /** In the units of the paths */
  readonly width: number;
  readonly height: number;
  /** By ISO 3166-1 alpha-2 code; those that the atlas has no code for have an empty one */
  readonly countries: readonly { readonly code: string; readonly d: string }[];
}
