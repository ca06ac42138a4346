export { createClicks } from "./clicks.ts";
export { countryOf, isCountry } from "./derive/country.ts";
export { parseAgent } from "./derive/user-agent.ts";
export { firstIdAt, timeOfId } from "./click-id.ts";
export { clientColumns, clientValues } from "./drain/prepare/description.ts";
export { otherReferrers } from "./derive/index.ts";
