import { campaignDimensions } from "./dimension-names.ts";

/**
 * The dimensions by which clicks are broken down, with the name of each list in reports. A dimension of the visitor's
 * client is one entry here and in `dimension-names.ts`, a field of `Derived` and a migration that adds its column to
 * click_clients: rollups, rebuilds, reports, the real-time feed and the export are made from this list.
 */
const clientLists = { country: "countries", device: "devices", browser: "browsers", os: "os" } as const;

/** Columns of click_clients, which have few values each. */
export type ClientDimension = keyof typeof clientLists;
export const clientDimensions = Object.keys(clientLists) as ClientDimension[];

/** All columns of click_campaigns: an account has its own, which end with it. */
export const campaignColumns = ["account_number", ...campaignDimensions];

/** Columns of click_bots. */
export const botDimensions = ["bot", "rule"] as const;

/** The referrer has its own table, since there are as many values as there are sites. Its channel follows from it. */
export const listNames = { ...clientLists, referrer: "referrers", channel: "channels" } as const;
export type ListedDimension = keyof typeof listNames;
export const listedDimensions = Object.keys(listNames) as ListedDimension[];

/** SQL: the dimensions of a row of click_clients, as the rows (dimension, value) of a `values` list. */
export const clientDimensionRows = clientDimensions.map((name) => `('${name}', ${name})`).join();

/** The same for a row of click_referrers */
export const referrerDimensionRows = `('referrer', referrer), ('channel', channel)`;

/** The dimensions of packed sums, by their codes: only add to the end, as the codes are stored. */
const packedDimensions = ["country", "device", "browser", "os", "referrer", "channel", "variant", "link"];

/** The code of a dimension in packed sums. */
export const packedCodes: ReadonlyMap<string, number> = new Map(
  packedDimensions.map((name, at) => [name, at]),
);
