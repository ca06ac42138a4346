import { randomUUID } from "node:crypto";
import { until } from "@terse/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { addDomain, anonymous, depsOf, rejection, second, unknownId, url } from "../../helpers.ts";
import { answer, watchingCore } from "../../redirects/helpers.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);
const { moderation } = core;
const { pool } = depsOf(core);
const pro = await actor("pro");
const { links, buckets } = core.caller(pro);

describe("links are found", () => {
  const idsOf = async (...filter: Parameters<typeof moderation.findLinks>) =>
    (await moderation.findLinks(...filter)).links.map(({ id }) => id);

  it("by the host that they lead to, by any rule, and those below it", async () => {
    const bad = `${randomUUID()}.example`;
    const there = await core.caller(anonymous).links.create({ url: `https://login.${bad}:8443/x` });
    const byRule = await links.create({ url, geo_rules: [{ country: "DE", url: `http://${bad}/` }] });
    const byFallback = await links.create({ url, fallback_url: `https://${bad}/over` });
    const byTest = await links.create({
      url,
      ab_test: {
        variants: [
          { url, weight: 1 },
          { url: `https://${bad}./`, weight: 1 },
        ],
      },
    });
    const bucket = await buckets.create({ name: "Page", links: [{ title: "One", url: `https://${bad}/1` }] });
    await links.create({ url: `https://other${bad}/` });
    await links.create({ url: `https://example.com/?next=https://${bad}/` });
    await links.create({ url: `https://${bad.replace(".", "x")}/` });
    const { links: found, more } = await moderation.findLinks({ host: bad.toUpperCase() });
    expect(found.map(({ id }) => id)).toEqual([
      expect.any(String),
      byTest.id,
      byFallback.id,
      byRule.id,
      there.id,
    ]);
    expect(found[0]).toMatchObject({
      short_url: `http://short.test/${bucket.slug}/1`,
      bucket_id: bucket.id,
      account: { id: pro.account.id, email: pro.account.email, suspended_at: null },
    });
    expect(found.at(-1)).toMatchObject({ short_url: there.shortUrl, account: null, disabled_at: null });
    expect(more).toBe(false);
    const first = await moderation.findLinks({ host: bad }, 1);
    expect([first.links.length, first.more]).toEqual([1, true]);
  });

  it("by their slug or short URL, also of a preview, in any encoding", async () => {
    const domain = `${randomUUID()}.example`;
    await addDomain(core, pro.account.id, domain);
    const slug = `größe-${randomUUID()}`;
    const own = await links.create({ url, slug });
    const custom = await links.create({ url, slug, domain });
    expect(new Set(await idsOf({ slug }))).toEqual(new Set([own.id, custom.id]));
    for (const end of ["", "+", "/", "?utm=1", "&utm=1", ").", "%3Futm=1"])
      expect(await idsOf({ slug: own.shortUrl + end })).toEqual([own.id]);
    for (const text of [`http://short.test/${slug}?utm=1`, ` ${own.shortUrl} `])
      expect(await idsOf({ slug: text })).toEqual([own.id]);
    expect(await idsOf({ slug: custom.shortUrl })).toEqual([custom.id]);
    expect(await idsOf({ slug: `https://elsewhere.example/${slug}` })).toEqual([]);
  });

  it("by their account, with its buckets", async () => {
    const other = await actor("pro");
    const mine = core.caller(other);
    await mine.links.create({ url });
    await mine.buckets.create({ name: "Page", links: [{ title: "One", url }] });
    expect(await idsOf({ accountId: other.account.id })).toHaveLength(3);
  });

  it("by nothing: the newest, also if an import says that they are old", async () => {
    const old = await links.create({ url });
    await pool.query("update links set created_at = '2020-01-01' where id = $1", [old.id]);
    const last = await core.caller(anonymous).links.create({ url });
    const found = await moderation.findLinks({ newest: true }, 2);
    expect(found.links.map(({ id }) => id)).toEqual([last.id, old.id]);
    expect(found.more).toBe(true);
  });

  it.each([
    [{ host: "not a host" }, "host: must be a host name, such as bad.example"],
    [{ host: "字".repeat(5000) }, "host: must be a host name, such as bad.example"],
    [{ slug: "a%ff" }, "slug: is not percent-encoded correctly"],
    [{ slug: "a\0b" }, "slug: must be a slug or a short URL"],
    [{ accountId: "x" }, "account: must be the id of an account"],
  ])("not by %j", async (filter, message) => {
    expect(await rejection(moderation.findLinks(filter))).toEqual({ code: "BAD_REQUEST", message });
  });
});

describe("a disabled link", () => {
  it("answers 410 on every node within a second, until it is enabled; explain and the API say so", async () => {
    const { id, slug } = await links.create({ url });
    const node = await watchingCore(databaseUrl);
    expect(await answer(node, slug)).toBe(url);
    const disabled = await moderation.disableLink(id, "phishing");
    expect(disabled).toMatchObject({ id, disabled_reason: "phishing" });
    await until(async () => (await answer(node, slug)) === "disabled", second);
    expect(await links.get({ id })).toMatchObject({
      is_active: 1,
      disabled_at: disabled.disabled_at,
      disabled_reason: "phishing",
    });
    expect(await links.explain({ id })).toMatchObject({
      outcome: "gone",
      status: 410,
      rule: "disabled",
      reasons: ["The operator of this service disabled the link.", "Nothing would be counted."],
    });
    await moderation.enableLink(id);
    await until(async () => (await answer(node, slug)) === url, second);
    expect(await links.get({ id })).toMatchObject({ disabled_at: null, disabled_reason: null });
  });

  it("cannot be changed, enabled or deleted by its owner, but by an operator", async () => {
    const { id, slug } = await links.create({ url });
    await moderation.disableLink(id, "phishing");
    const refusal = {
      code: "FORBIDDEN",
      message: "The operator of this service disabled this link (phishing); ask them to enable or delete it",
    };
    for (const change of [{ is_active: 1 }, { slug: randomUUID() }, { title: "x" }] as const)
      expect(await rejection(links.update({ id, ...change }))).toEqual(refusal);
    expect(await rejection(links.delete({ id }))).toEqual(refusal);
    expect(await answer(core, slug)).toBe("disabled");
    await moderation.deleteLink(id);
    expect(await answer(core, slug)).toBe("not_found");
    expect((await rejection(moderation.deleteLink(id))).code).toBe("NOT_FOUND");
  });

  it("of a bucket stands for the whole bucket", async () => {
    const bucket = await buckets.create({
      name: "Page",
      links: [
        { title: "One", url },
        { title: "Two", url: "https://example.com/2" },
      ],
    });
    const paths = [bucket.slug, `${bucket.slug}/1`, `${bucket.slug}/2`];
    const answers = () => Promise.all(paths.map((path) => answer(core, path)));
    const { links: parts } = await moderation.findLinks({ slug: `${bucket.slug}/2` });
    await moderation.disableLink(parts[0]?.id ?? "", "spam");
    expect(await answers()).toEqual(["disabled", "disabled", "disabled"]);
    const refusal = {
      code: "FORBIDDEN",
      message: "The operator of this service disabled this bucket (spam); ask them to enable or delete it",
    };
    expect(await rejection(buckets.update({ id: bucket.id, links: [{ title: "New", url }] }))).toEqual(
      refusal,
    );
    expect(await rejection(buckets.delete({ id: bucket.id }))).toEqual(refusal);
    expect(await buckets.get({ id: bucket.id })).toMatchObject({ disabled_reason: "spam" });
    await moderation.enableLink(bucket.id);
    expect(await answers()).toEqual(["bucket", url, "https://example.com/2"]);
    await moderation.deleteLink(parts[0]?.id ?? "");
    expect(new Set(await answers())).toEqual(new Set(["not_found"]));
  });

  it("needs an id and a reason", async () => {
    const { id } = await links.create({ url });
    expect((await rejection(moderation.disableLink(id, ""))).message).toBe("reason: must not be empty");
    for (const missing of [unknownId, "x", ""])
      expect((await rejection(moderation.disableLink(missing, "x"))).code).toBe("NOT_FOUND");
  });
});
