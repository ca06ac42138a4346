export { createClicks } from "./clicks.ts";
export { isCountry } from "./derive/countries.ts";
export { countryOf } from "./derive/country.ts";
export { parseAgent } from "./derive/user-agent.ts";
export { isBotVisit } from "./derive/index.ts";
export type { CountsAs } from "./log/index.ts";
export { createPermits, type Permits } from "./permits/index.ts";
export { saltOf } from "./drain/store/visitors.ts";
export { firstIdAt, timeOfId } from "./click-id.ts";
export {
  clientDimensionRows,
  clientDimensions,
  referrerDimensionRows,
  shortDimensions,
  type ListedDimension,
  listedDimensions,
  listNames,
} from "./dimensions.ts";
export { rollups } from "./drain/rollups/rollups.ts";
export {
  browserNames,
  channelOf,
  channels,
  type Continent,
  continents,
  countriesOf,
  devices,
  isReferrerHost,
  otherReferrers,
  systemNames,
} from "./derive/index.ts";
