/** Made by the build: what loads the modules of the list of screens. */
declare module "virtual:screens" {
  import type { ComponentType } from "react";
  export const load: Readonly<Record<string, () => Promise<Record<string, ComponentType>>>>;
}
