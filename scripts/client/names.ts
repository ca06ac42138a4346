/**
 * Names of types whose property gives no good one: by the property, or by the object around it and the property. Where a list has the
 * type, the property is in the plural.
 */
export const typeNames: Record<string, string> = {
  bots_by: "BotKind",
  change: "ChangeRatios",
  dns: "DnsRecord",
  draft: "LinkDraft",
  events: "WebhookEvent",
  os: "OperatingSystem",
  query: "QueryCondition",
  sort: "LinkSort",
  timeseries: "TimeseriesRow",
  variants: "AbTestVariant",
  weekly: "WeeklyHours",
  "DnsRecord.type": "DnsRecordType",
  "Domain.status": "DomainStatus",
  "Link.status": "HealthStatus",
  "Link.when": "LinkRuleWhen",
};

/** Names of objects that several operations have, by their fields. */
export const objectNames: Record<string, string> = {
  "at,location,outcome,reasons,rule,status,variants,would_count": "Explanation",
  "change_id,changed,matched,results": "ChangedLinks",
  "deleted,id": "Deleted",
  id: "ById",
  job_id: "StartedJob",
};

/**
 * Names of fields that several objects share: those that the given objects have in common, with the same descriptions. An object is
 * given by the name of its interface, and by a property if it is inside one.
 */
export const sharedFields: Record<string, readonly string[]> = {
  LinkFilters: ["LinksBulkDeleteInput.filter"],
  LinkOptions: ["LinksCreateInput", "LinksBulkUpdateInput.set"],
  RuleConditions: ["Link.rules.when", "LinksCreateInput.rules.when"],
  LinkChanges: ["LinksBulkUpdateInput.set"],
  ClickFilters: ["AnalyticsRealtimeInput"],
  ClickSelection: ["AnalyticsExportInput", "AnalyticsLinkInput"],
  ReportInput: ["AnalyticsOverviewInput", "AnalyticsLinkInput"],
  Report: ["Overview", "LinkAnalytics"],
};
