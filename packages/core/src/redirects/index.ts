export { decide, type OnRule } from "./decide.ts";
export { maxDestinationLength, parseDestination } from "./destination.ts";
export { isOwnHost, loopsAmong, noLoop } from "./loops.ts";
export { createRedirects } from "./resolve.ts";
export { isUnlockToken, issueUnlockToken, unlockSeconds } from "./unlock-token.ts";
export { routeOf } from "./route.ts";
export { blockedHostOf, screened } from "./screen-route.ts";
export { type Draws, drawsOf, maxVariants, sharesOf, urlsFor } from "./rules/ab-test.ts";
export { isActiveInput, isActiveOutput } from "./rules/active.ts";
export {
  anyOptions,
  anyRules,
  noRules,
  type OptionColumns,
  type OptionInput,
  optionInputs,
  optionKinds,
  type OptionOutput,
  optionOutputs,
  type RuleColumns,
  ruleKinds,
  type RuleName,
} from "./rules/index.ts";
export { countryInput, importFromInput, timeInput, urlInput } from "./rules/inputs.ts";
export type { AssumedVisitor, ColumnType, Visit } from "./rules/rule.ts";
export type {
  AbTest,
  BucketPage,
  Conditions,
  Decision,
  GeoRule,
  LinkRule,
  Visitor,
  VisitorAgent,
} from "./redirects.types.ts";
