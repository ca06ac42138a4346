export { createClicks } from "./clicks.ts";
export type { ClickBacklog } from "./clicks.types.ts";
export { isCountry } from "./derive/countries.ts";
export { createLocator, type Locator } from "./derive/locate.ts";
export { campaignValueOf } from "./derive/campaign.ts";
export { isLinkPreview } from "./derive/link-preview.ts";
export { parseAgent } from "./derive/user-agent.ts";
export { isBotVisit } from "./derive/index.ts";
export type { CountsAs } from "./log/index.ts";
export { createPermits, type Permits } from "./permits/index.ts";
export { saltOf } from "./drain/store/visitors.ts";
export { CopiedClicks, uuidOf } from "./blocks/copied-clicks.ts";
export { allBlocks } from "./blocks/all-blocks.ts";
export { eraseBlocks, eraseLinksInBlocks } from "./blocks/erase-blocks.ts";
export { clickColumns, type ColumnName, columnNames, none, type NumberColumn } from "./blocks/columns.ts";
export {
  type BlockCondition,
  BlockCounter,
  chosenIn,
  type Key,
  type Sum,
  type TimeStep,
} from "./blocks/count.ts";
export {
  type BlockHead,
  blockHeads,
  forEachBlock,
  type ReadBlock,
  readBlocks,
} from "./blocks/read-blocks.ts";
export { idsOfValues } from "./packed/values.ts";
export { firstIdAt, idOf, sequenceBits, timeIn, timeOfId } from "./click-id.ts";
export {
  clientDimensionRows,
  type CampaignDimension,
  campaignDimensions,
  clientDimensions,
  type Dimension,
  dimensions,
  referrerDimensionRows,
  type ListedDimension,
  listedDimensions,
  listNames,
  packedCodes,
  placeDimensions,
} from "./dimensions.ts";
export { readHead } from "./packed/heads.ts";
export { readPacked } from "./packed/sums.ts";
export { withCurrentBatches } from "./drain/store/ids.ts";
export { type ClickStore, createClickStore } from "./drain/store/store.ts";
export { type Counted, nothingCounted, positionsOf } from "./drain/positions.ts";
export { uncountedIn } from "./drain/uncounted.ts";
export {
  isRestoring,
  noteRestore,
  placeRestored,
  restoringFile,
} from "./drain/maintenance/restored-segments.ts";
export { createMonth, type Month, monthsOf } from "./drain/store/partitions.ts";
export { isAlive, self } from "./log/owner.ts";
export { ifMissing, listSegments, readFrom, type RawClick, type Segment } from "./log/index.ts";
export { streamUrlProblem } from "./stream/index.ts";
export { linkTables } from "./drain/rollups/link-days.ts";
export { accountTables } from "./drain/rollups/rollups.ts";
export {
  agentOf,
  botClasses,
  browserNames,
  channelOf,
  channels,
  type Continent,
  continentOf,
  continents,
  countriesOf,
  devices,
  hostOfReferrer,
  isReferredFrom,
  isReferrerHost,
  isUnderHost,
  otherReferrers,
  REPORTED,
  systemNames,
} from "./derive/index.ts";
