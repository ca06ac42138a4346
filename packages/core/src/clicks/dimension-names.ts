/** The campaign of a click, by the parameters of URLs that name it. Columns of click_campaigns. */
export const campaignDimensions = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;
export type CampaignDimension = (typeof campaignDimensions)[number];

/** The place of a click, by the operator's database. Columns of click_places. */
export const placeDimensions = ["region", "city"] as const;

/** The dimensions by which clicks are filtered and grouped, in listing order. */
export const dimensions = [
  "country",
  "continent",
  ...placeDimensions,
  "device",
  "browser",
  "os",
  "referrer",
  "channel",
  ...campaignDimensions,
  "link_id",
  "tag",
  "domain",
  "variant",
  "bot",
] as const;
export type Dimension = (typeof dimensions)[number];
