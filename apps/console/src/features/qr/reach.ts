/**
 * From how far a phone reads a code, in multiples of the width of one module. The rule: the main camera of a phone (26 mm
 * on a 36 mm frame) sees 36/26 metres at a distance of one metre, in a picture of 1920 pixels, and a scanner needs four
 * pixels for a module of a code that is held by hand. Better cameras and calm hands read from further away.
 */
const reachOfModule = (1920 * 26) / 36 / 4;

/** Distance from which a code can be read; all lengths in centimetres, `modules` across with the margins. */
export const reachOf = (width: number, modules: number): number => (width / modules) * reachOfModule;

/** The width that a code needs to be read from a distance. */
export const widthFor = (reach: number, modules: number): number => (reach / reachOfModule) * modules;

/** The modules across a code without margins, which its SVG image says in its viewBox. */
export const modulesIn = (svg: string): number => Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
