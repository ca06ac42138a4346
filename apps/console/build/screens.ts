import { join } from "node:path";
import { pathOf, screenNames, screens, sectionNames, sections, signInModule } from "../src/app/screens.ts";

export const sources = join(import.meta.dirname, "../src");

/** The screens' modules by path, as Hono writes it: what each page loads besides the first script. */
export const modulesByPath: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    screenNames.map((name) => [
      screens[name].path.replaceAll("$", ":"),
      screens[name].module === null ? [] : [screens[name].module],
    ]),
  ),
  ...Object.fromEntries(
    sectionNames.map((name) => [pathOf(name), [screens.settings.module, sections[name].module]]),
  ),
  "/links": [], // leads to the first screen
};

/** What visitors load on every path. */
export const signInModules = [signInModule];

const id = "virtual:screens";
const modules = new Set(Object.values(modulesByPath).flat());

/** Makes the module that loads the screens, for Rolldown and Vite: so the list of screens is the only one. */
export const screensPlugin = {
  name: "screens",
  resolveId: (source: string) => (source === id ? `\0${id}` : null),
  load(resolved: string) {
    if (resolved !== `\0${id}`) return null;
    const loaders = [...modules].map(
      (module) => `${JSON.stringify(module)}: () => import(${JSON.stringify(join(sources, module))})`,
    );
    return `export const load = {${loaders.join(",\n")}};`;
  },
};
