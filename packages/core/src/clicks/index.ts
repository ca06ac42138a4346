export { createClicks } from "./clicks.ts";
export { countryOf, isCountry } from "./derive/country.ts";
export { parseAgent } from "./derive/user-agent.ts";
export { saltOf } from "./drain/store/visitors.ts";
export { firstIdAt, timeOfId } from "./click-id.ts";
export {
  clientDimensionRows,
  clientDimensions,
  type ListedDimension,
  listedDimensions,
  listNames,
} from "./dimensions.ts";
export { rollups } from "./drain/rollups/rollups.ts";
export { otherReferrers } from "./derive/index.ts";
