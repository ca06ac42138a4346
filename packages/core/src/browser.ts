/** @terse/core/browser: pure rules that browsers apply too, without a dependency. */

export { type Issue, type IssueCode, issueCodes, type IssueParams, sentenceOf } from "./kernel/issues.ts";
export type { StepCode } from "./redirects/rules/step.ts";
export { countOf, keyOfTag, printable } from "./kernel/text.ts";
export { planNames } from "./kernel/names.ts";
export { isAbove, mayDo, type Permission, type Role, roleNames } from "./kernel/roles.ts";
export { inkOn, isReadableOn, readableOn } from "./links/colors.ts";
export { type Granularity, granularities, type Period, periods } from "./analytics/question.ts";
export { campaignDimensions, type Dimension, dimensions, placeDimensions } from "./clicks/dimension-names.ts";
export { countries } from "./clicks/derive/countries.ts";
export { browserNames, systemNames } from "./clicks/derive/names.ts";
export { healthStatuses } from "./safety/health/verdict.ts";
export { linkSorts, linkStates, listedOptions } from "./links/list/names.ts";
export { contrastOf, hexColor, isReadable, minContrast, normalizeColor } from "./links/colors.ts";
export { withPath, withQuery } from "./redirects/forward.ts";
export {
  maxShapedPng,
  qrDefaults,
  type QrDots,
  qrDots,
  type QrEyes,
  qrEyes,
  type QrLevel,
  qrLevels,
  qrMargins,
  qrSizes,
} from "./links/qr/limits.ts";
