import { describe, expect, it } from "vitest";
import { depsOf, rejection } from "../helpers.ts";
import { setUp } from "./setup.ts";

const { core, account, newDomain, newVerified } = await setUp();

let names = 0;
const nextName = () => `file-${names++}.example.com`;
const webcredentials = { apps: ["ABCDE12345.com.example.app"] };

describe("setting up a domain", () => {
  it("changes the given fields only, and null clears them", async () => {
    const { domains, id } = await newDomain("fields.example.com");
    const urls = { root_url: "https://example.com", not_found_url: "https://example.com/Ü" };
    const set = await domains.update({ id, ...urls, apple_app_site_association: { webcredentials } });
    expect(set).toMatchObject({
      root_url: "https://example.com/",
      not_found_url: "https://example.com/%C3%9C",
      expired_url: null,
      apple_app_site_association: { webcredentials },
      assetlinks: null,
    });
    expect(await domains.update({ id })).toEqual(set);
    const less = await domains.update({ id, root_url: null, apple_app_site_association: null });
    expect(less).toEqual({ ...set, root_url: null, apple_app_site_association: null });
    expect(await domains.list()).toEqual([less]);
    expect(await domains.get({ id })).toMatchObject(less);
  });

  it("needs the Pro plan, except to clear a field", async () => {
    const { id, actor } = await newDomain("plan.example.com");
    const free = { ...actor, account: { ...actor.account, plan: "free" as const } };
    const { domains } = core.caller(free);
    expect(await rejection(domains.update({ id, root_url: "https://example.com/" }))).toEqual({
      code: "FORBIDDEN",
      message: "Pro plan required",
    });
    expect((await domains.update({ id, root_url: null })).root_url).toBeNull();
  });

  it("refuses addresses that lead back, to the own domain too, or to blocked hosts later", async () => {
    const { domains, id, domain } = await newDomain("loop.example.com");
    const other = await newVerified("other-loop.example.com");
    for (const host of [domain, other.domain, "short.test"])
      expect(await rejection(domains.update({ id, not_found_url: `https://${host}/x` }))).toEqual({
        code: "BAD_REQUEST",
        message: "not_found_url: must not point back at a short-link host (that would be a loop)",
      });
    expect((await domains.get({ id })).not_found_url).toBeNull();
  });

  it("finds no domain of another account, and no deleted one", async () => {
    const { domains, id } = await newDomain("mine.example.com");
    const stranger = core.caller({ kind: "account", account: await account("pro"), credential: "internal" });
    const change = { id, root_url: "https://example.com/" };
    expect(await rejection(stranger.domains.update(change))).toMatchObject({ code: "NOT_FOUND" });
    await domains.update(change);
    await domains.delete({ id });
    expect(await rejection(domains.update(change))).toMatchObject({ code: "NOT_FOUND" });
    const { rows } = await depsOf(core).pool.query("select root_url from domains where id = $1", [id]);
    expect(rows).toEqual([{ root_url: null }]);
  });
});

const fingerprint = Array.from({ length: 32 }, () => "0A").join(":");
const relation = ["delegate_permission/common.handle_all_urls"];
const target = {
  namespace: "android_app" as const,
  package_name: "com.example.app",
  sha256_cert_fingerprints: [fingerprint],
};
const appIDs = ["ABCDE12345.com.example.app"];

describe("the file for Apple's systems", () => {
  it.each([
    {
      applinks: {
        details: [
          { appIDs, components: [{ "/": "/buy/*", "?": { id: "????" }, exclude: true, comment: "x" }] },
        ],
      },
    },
    { applinks: { apps: [], details: [{ appID: appIDs[0], paths: ["*", "NOT /x"] }] } },
    {
      applinks: {
        details: [
          {
            appIDs,
            components: [{ "#": "no", "?": "a=*", caseSensitive: false }],
            defaults: { percentEncoded: true },
          },
        ],
        substitutionVariables: { food: ["burrito"] },
      },
      webcredentials,
      appclips: webcredentials,
    },
  ])("may be %j", async (file) => {
    const { domains, id } = await newDomain(nextName());
    const set = await domains.update({ id, apple_app_site_association: file });
    expect(set.apple_app_site_association).toEqual(file);
  });

  it.each([
    [{}, ": must have applinks, webcredentials, appclips or activitycontinuation"],
    [
      { applink: {} },
      ": applink: no such field; the known ones are applinks, webcredentials, appclips, activitycontinuation",
    ],
    [{ applinks: {} }, ".applinks.details: is required (expected array)"],
    [{ applinks: { details: [{ appIDs }] } }, ".applinks.details.0: must have components"],
    [{ applinks: { details: [{ components: [] }] } }, ".applinks.details.0: must have appIDs"],
    [{ applinks: { apps: ["x"], details: [{ appIDs, paths: [] }] } }, ".applinks.apps: must be empty"],
    [
      { applinks: { details: [{ appIDs, components: [{ "/": 1 }] }] } },
      ".applinks.details.0.components.0./: expected string, received number",
    ],
    [{ webcredentials: { apps: [] } }, ".webcredentials.apps: must name an app"],
    [
      { applinks: { details: [{ appIDs, paths: Array.from({ length: 30 }, () => "a".repeat(2000)) }] } },
      ": must have at most 50000 bytes",
    ],
  ])("is refused with the place of the mistake: %j", async (file, error) => {
    const { domains, id } = await newDomain(nextName());
    const call = domains.update({ id, apple_app_site_association: file });
    expect((await rejection(call)).message).toBe(`apple_app_site_association${error}`);
  });
});

describe("the file for Android", () => {
  const longHost = "long.".repeat(60) + "example";

  it.each([
    [[{ relation, target }]],
    [
      [
        { relation, target: { namespace: "web", site: "https://example.com" } },
        { include: "https://example.com/a.json" },
      ],
    ],
  ])("may be %j", async (file) => {
    const { domains, id } = await newDomain(nextName());
    expect((await domains.update({ id, assetlinks: file })).assetlinks).toEqual(file);
  });

  it.each([
    [[], ": must have a statement"],
    [{ relation, target }, ": expected array, received object"],
    [[{ target }], ".0.relation: is required"],
    [[{ relation }], ".0.target: is required"],
    [[{ include: `https://${longHost}/a.json` }], ".0.include: must be an https URL"],
    [
      [{ relation, target: { namespace: "web", site: `https://${longHost}` } }],
      ".0.target.site: must be an origin, such as https://example.com",
    ],
    [
      [{ relation: ["all"], target }],
      ".0.relation.0: must be a relation, such as delegate_permission/common.handle_all_urls",
    ],
    [
      [{ relation, target: { namespace: "android" } }],
      ".0.target.namespace: must be one of android_app, web, ios_app",
    ],
    [
      [{ relation, target: { namespace: "android_app", package_name: "com.example.app" } }],
      ".0.target.sha256_cert_fingerprints: is required in the namespace android_app",
    ],
    [
      [{ relation, target: { namespace: "web", site: "https://example.com/x" } }],
      ".0.target.site: must be an origin, such as https://example.com",
    ],
  ])("is refused with the place of the mistake: %j", async (file, error) => {
    const { domains, id } = await newDomain(nextName());
    expect((await rejection(domains.update({ id, assetlinks: file as never }))).message).toBe(
      `assetlinks${error}`,
    );
  });
});
