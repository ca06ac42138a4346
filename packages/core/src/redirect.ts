/** @terse/core/redirect: the part of the core that redirects and counts, without the ORM and the procedures. */

export { closeMs, timeLeft, waitAtMost } from "./kernel/async/waiting.ts";
export { parseSender, smtpUrlProblem } from "./mail/settings.ts";
export { streamUrlProblem } from "./clicks/stream/click-stream.ts";
export { clickHouseUrlProblem } from "./clicks/clickhouse/connection.ts";
export { campaignIn } from "./clicks/derive/campaign.ts";
export { agentOf, isBotVisit } from "./clicks/derive/derive.ts";
export { isLinkPreview } from "./clicks/derive/bot-class.ts";
export { hintHeaders, joinHints } from "./clicks/derive/user-agent.ts";
export { HEAD, PREFETCH, PREVIEW, purposeHeaders, requestFlags } from "./clicks/derive/bot-class.ts";
export { databaseUrlProblem, parseDatabaseUrl, placeOf } from "./db/database-url.ts";
export { waitForDatabase } from "./db/errors.ts";
export { AppError, type ErrorCode, reasonOf } from "./kernel/errors.ts";
export type { Issue } from "./kernel/issues.ts";
export { type Failure, toFailure } from "./rpc/failure.ts";
export { hasLongHost, isLongHost } from "./kernel/host-names.ts";
export { ipv6Network, networkOf } from "./kernel/addresses.ts";
export { withoutGlued } from "./kernel/slug.ts";
export { importAgent } from "./redirects/fallback/service.ts";
export { bestLanguage } from "./redirects/rules/conditions/facts.ts";
export { printable, toAscii } from "./kernel/text.ts";
export { combineMetrics, createMeter } from "./kernel/meter.ts";
export { noTracer } from "./kernel/tracer.ts";
export { definitionOfMetric } from "./kernel/metrics.ts";
export { createRedirectCore } from "./redirect-core.ts";
export { maxReportDetails, reportReasons } from "./integrations/reports/reports.types.ts";
export { oneOf } from "./kernel/validation/inputs.ts";
export type * from "./core-types.ts";
