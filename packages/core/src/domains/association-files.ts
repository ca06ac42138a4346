import * as z from "zod";
import { parseUrl } from "../kernel/host-names.ts";
import { fieldsOf, oneOf } from "../kernel/validation/inputs.ts";
import { foreign, refused } from "../kernel/validation/issues.ts";
import { plain, textLike, textUpTo } from "../kernel/validation/strings.ts";

/**
 * The two files that connect a domain with apps, in their readers' formats. Phones silently ignore a file with a
 * mistake, so unknown fields are refused, too.
 */

/** How long each file may be, as compact JSON; two of them fit into a request only if they are shorter. */
const maxFileBytes = 50_000;

/** PostgreSQL stores neither as JSON. */
const text = textUpTo(2000).superRefine(plain("must not contain NUL", (value) => !value.includes("\0")));

const boundedFile = <File extends z.ZodType>(file: File) =>
  file.refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxFileBytes, {
    ...refused("too_long", `must have at most ${maxFileBytes} bytes`, { max: maxFileBytes, unit: "bytes" }),
    abort: true,
  });

const appId = textLike(
  /^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/,
  "app_id",
  "must be ten capital letters or digits, a dot and the bundle ID, such as ABCDE12345.com.example.app",
  "ABCDE12345.com.example.app",
);
const appIds = z.array(appId).min(1, "must name an app");
const apps = fieldsOf({ apps: appIds });

/** The refusal of an object with none of these fields. */
const missing = (message: string, ...fields: string[]) => refused("required", message, { fields });

const matching = { caseSensitive: z.boolean().optional(), percentEncoded: z.boolean().optional() };

const component = fieldsOf({
  "/": text.optional(),
  "?": z
    .union([text, z.record(text, text)])
    .optional()
    .describe("Patterns of the query"),
  "#": text.optional(),
  exclude: z.boolean().optional(),
  comment: text.optional(),
  ...matching,
});

const detail = fieldsOf({
  appIDs: appIds.optional(),
  appID: appId.optional(),
  components: z.array(component).optional(),
  paths: z.array(text).optional(),
  defaults: fieldsOf(matching).optional(),
})
  .refine(({ appIDs, appID }) => (appIDs ?? appID) !== undefined, missing("must have appIDs", "appIDs"))
  .refine(
    ({ components, paths }) => (components ?? paths) !== undefined,
    missing("must have components", "components"),
  );

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
const appleFormat = boundedFile(
  fieldsOf({
    applinks: fieldsOf({
      apps: z.array(z.string()).max(0, "must be empty").optional(),
      details: z.array(detail).min(1, "must have the details of an app"),
      defaults: fieldsOf(matching).optional(),
      substitutionVariables: z.record(text, z.array(text)).optional(),
    }).optional(),
    webcredentials: apps.optional(),
    appclips: apps.optional(),
    activitycontinuation: apps.optional(),
  }).refine(
    (file) => Object.keys(file).length > 0,
    missing(
      "must have applinks, webcredentials, appclips or activitycontinuation",
      "applinks",
      "webcredentials",
      "appclips",
      "activitycontinuation",
    ),
  ),
);

const fingerprint = textLike(
  /^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/,
  "sha256_fingerprint",
  "must be a SHA-256 fingerprint: 32 pairs of 0 to 9 and A to F with colons between them",
);

const isOrigin = (url: string) =>
  /^https?:$/.test(parseUrl(url)?.protocol ?? "") && parseUrl(url)?.origin === url;

const target = fieldsOf({
  namespace: oneOf(["android_app", "web", "ios_app"]),
  package_name: textLike(
    /^[A-Za-z]\w*(?:\.[A-Za-z]\w*){1,20}$/,
    "package_name",
    "must be a package name, such as com.example.app",
    "com.example.app",
  )
    .max(255, "must have at most 255 characters")
    .optional(),
  sha256_cert_fingerprints: z.array(fingerprint).min(1, "must have a fingerprint").optional(),
  site: text
    .refine(
      isOrigin,
      refused("invalid_format", "must be an origin, such as https://example.com", {
        format: "origin",
        example: "https://example.com",
      }),
    )
    .optional(),
  appid: appId.optional(),
}).superRefine(({ namespace, package_name, sha256_cert_fingerprints, site, appid }, ctx) => {
  const needed = {
    android_app: { package_name, sha256_cert_fingerprints },
    web: { site },
    ios_app: { appid },
  }[namespace];
  const absent = Object.entries(needed).find(([, value]) => value === undefined);
  if (absent)
    ctx.addIssue({
      ...refused("required", `is required in the namespace ${namespace}`, { namespace }),
      path: [absent[0]],
    });
});

const statement = fieldsOf({
  relation: z
    .array(
      textLike(
        /^[\w.]{1,100}\/[\w.]{1,100}$/,
        "relation",
        "must be a relation, such as delegate_permission/common.handle_all_urls",
        "delegate_permission/common.handle_all_urls",
      ),
    )
    .min(1, "must have a relation")
    .optional(),
  target: target.optional(),
  relation_extensions: z.record(text, z.unknown()).optional(),
  include: text
    .refine(
      (url) => parseUrl(url)?.protocol === "https:",
      refused("invalid_url", "must be an https URL", { reason: "https" }),
    )
    .optional(),
}).superRefine(({ relation, target: to, include }, ctx) => {
  if (include !== undefined) return;
  const absent = relation === undefined ? "relation" : to === undefined ? "target" : null;
  if (absent !== null) ctx.addIssue({ ...refused("required", "is required"), path: [absent] });
});

/** https://developers.google.com/digital-asset-links/v1/statements */
const assetLinksFormat = boundedFile(z.array(statement).min(1, "must have a statement"));

/** The files as clients see them: their formats are documented by Apple and Google. */
export const appleFile = z.record(z.string(), z.unknown()).meta({
  description:
    "Served at /.well-known/apple-app-site-association, for apps on Apple's systems. The format is Apple's",
  examples: [{ webcredentials: { apps: ["ABCDE12345.com.example.app"] } }],
});
export const assetLinksFile = z.array(z.record(z.string(), z.unknown())).meta({
  description:
    "Served at /.well-known/assetlinks.json, for apps on Android. The format is that of Digital Asset Links",
  examples: [
    [
      {
        relation: ["delegate_permission/common.handle_all_urls"],
        target: { namespace: "web", site: "https://example.com" },
      },
    ],
  ],
});

export const appleFileInput = foreign(appleFile, appleFormat);
export const assetLinksInput = foreign(assetLinksFile, assetLinksFormat);
