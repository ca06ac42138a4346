import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "@terse/testkit";
import { challengeOf, prove, testDns } from "@terse/testkit/dns";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { answering, startSite } from "../../outbound/site.ts";
import { anotherCore } from "../../redirects/helpers.ts";
import { options, setUp, toldBy } from "./setup.ts";

const test = await setUp();
const { core, events, pass, newWebhook } = test;
const { deliverDue } = core.webhooks;
const minute = 60;
const hour = 60 * minute;

describe("a webhook", () => {
  it("is told what happens to links, in order, signed", async () => {
    const site = await startSite();
    const { links, webhook } = await newWebhook(site.url, "link.created", "link.updated", "link.deleted");
    const { id, slug } = await links.create({ url, password: "secret", tags: ["news"] });
    const changed = await links.update({ id, title: "Changed", tags: ["news", "spring"] });
    await deliverDue();
    await links.delete({ id });
    pass(60);
    await deliverDue();

    const told = toldBy(site.received);
    expect(told.map(({ type }) => type)).toEqual(["link.created", "link.updated", "link.deleted"]);
    expect(told[0]?.data).toMatchObject({ id, slug, title: null, has_password: true, click_count: 0 });
    expect(told[1]?.data).toEqual(changed);
    expect(told[2]?.data).toEqual(changed);
    const verifier = new Verifier(webhook.secret);
    for (const { headers, body } of site.received) {
      expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => verifier.verify(`${body} `, headers)).toThrow("No matching signature found");
    }
    expect(new Set(site.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  it("is told once that the clicks of a limit are used up, and again when a higher limit is reached", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.limit_reached");
    const { id, slug } = await links.create({ url, click_limit: 3 });
    const unlimited = await links.create({ url });
    const told = async () => {
      await core.clicks.drain();
      await deliverDue();
      return toldBy(site.received).map(({ type, data }) => [type, data.id]);
    };
    const follow = async (times: number) => {
      for (let visit = 0; visit < times; visit++) {
        const decision = await core.redirects.resolve("short.test", slug, {
          country: () => null,
          id: () => "",
        });
        if (decision.kind !== "redirect") continue;
        await core.clicks.record(clickOn(id, { counts_as: decision.counts_as }));
      }
      await core.clicks.record(clickOn(unlimited.id));
    };
    await follow(2);
    expect(await told()).toEqual([]);
    await follow(5);
    expect(await told()).toEqual([["link.limit_reached", id]]);
    await follow(5);
    await links.update({ id, title: "Reached" });
    expect(await told()).toHaveLength(1);
    await links.update({ id, click_limit: 5 });
    await until(async () => {
      const decision = await core.redirects.resolve("short.test", slug, {
        country: () => null,
        id: () => "",
      });
      if (decision.kind !== "redirect") return false;
      await core.clicks.record(clickOn(id, { counts_as: decision.counts_as }));
      return true;
    });
    expect(await told()).toHaveLength(1);
    await follow(3);
    expect(await told()).toHaveLength(2);
    expect(toldBy(site.received).map(({ data }) => data)).toMatchObject([
      { click_count: 3 },
      { click_count: 5 },
    ]);
  });

  it("is told what operators and bulk operations do, and nothing of other accounts", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.created", "link.updated", "link.deleted");
    await core.caller(await test.actor("pro")).links.create({ url });
    await core.caller({ kind: "anonymous" }).links.create({ url });
    const { results } = await links.bulkCreate({
      links: [
        { url, slug: "many-1" },
        { url, slug: "many-2", tags: ["news"] },
        { url, slug: "many-3", tags: ["spring"] },
      ],
      on_error: "continue",
    });
    const ids = results.flatMap(({ id }) => id ?? []);
    await core.moderation.disableLink(ids[0] ?? "", "spam");
    await links.bulkDelete({ ids: ids.slice(1) });
    pass(60);
    await deliverDue();
    expect(
      toldBy(site.received)
        .filter(({ type }) => type !== "link.created")
        .map(({ type, data: { slug, tags } }) => `${type} ${slug} ${tags.join()}`)
        .toSorted(),
    ).toEqual(["link.deleted many-2 news", "link.deleted many-3 spring", "link.updated many-1 "]);
    const created = toldBy(site.received).filter(({ type }) => type === "link.created");
    expect(created.map(({ data: { slug } }) => slug).toSorted()).toEqual(["many-1", "many-2", "many-3"]);
  });

  it("is told of clicks by people, in batches", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.clicked");
    const { id } = await links.create({ url });
    await Promise.all(Array.from({ length: 150 }, () => core.clicks.record(clickOn(id))));
    await core.clicks.record(clickOn(id, { user_agent: "curl/8" }));
    await deliverDue();
    expect(site.received).toEqual([]); // They are collected for some seconds.
    pass(6);
    await deliverDue();
    const told = toldBy(site.received);
    expect(told.map(({ data }) => data.clicks.length)).toEqual([100, 50]);
    const clicks = told.flatMap(({ data }) => data.clicks);
    expect(clicks[0]).toMatchObject({ link_id: id, country: "US", browser: "Firefox", referrer: "(direct)" });
    expect(new Set(clicks.map((click) => JSON.stringify(click))).size).toBe(150);
  });

  it("is told that a domain was verified", async () => {
    const dns = await testDns();
    const site = await startSite();
    const { actor } = await newWebhook(site.url, "domain.verified", "domain.failed");
    const node = await anotherCore(test.databaseUrl, { dnsServers: [dns.address] });
    const { domains } = node.caller(actor);
    const made = await domains.create({ domain: "told.example.com" });
    prove(dns, "told.example.com", challengeOf(made));
    await domains.verify({ id: made.id });
    await deliverDue();
    expect(toldBy(site.received)).toMatchObject([
      { type: "domain.verified", data: { domain: "told.example.com", status: "verified" } },
    ]);
  });

  it("gets two signatures while its secret is being replaced", async () => {
    const site = await startSite();
    const { links, webhooks, webhook, id } = await newWebhook(site.url, "link.created");
    const { secret } = await webhooks.rotate({ id, overlap_hours: 1 });
    const verifies = async (each: string) => {
      await links.create({ url });
      await deliverDue();
      const { headers = {}, body = "" } = site.received.at(-1) ?? {};
      try {
        return new Verifier(each).verify(body, headers) !== undefined;
      } catch {
        return false;
      }
    };
    expect(await verifies(webhook.secret)).toBe(true);
    expect(await verifies(secret)).toBe(true);
    expect(site.received[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    const { secret: last } = await webhooks.rotate({ id, overlap_hours: 0 });
    expect(await verifies(secret)).toBe(false);
    expect(await verifies(last)).toBe(true);
    expect(site.received.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });
});

describe("a receiver that fails", () => {
  it("gets everything in order after an hour, and delays no other one", async () => {
    const away = await startSite(answering(503));
    const other = await startSite();
    const { links, webhooks, id } = await newWebhook(away.url, "link.created", "link.updated");
    await webhooks.create({ url: other.url, events: ["link.created", "link.updated"] });
    const link = await links.create({ url });
    await deliverDue();
    for (let title = 1; title <= 5; title++) await links.update({ id: link.id, title: `Title ${title}` });
    for (let passed = 0; passed < hour; passed += 5 * minute) {
      pass(5 * minute);
      await deliverDue();
    }
    const titles = ["null", "Title 1", "Title 2", "Title 3", "Title 4", "Title 5"];
    const titlesOf = (site: typeof away) => toldBy(site.received).map(({ data }) => String(data.title));
    expect(titlesOf(other)).toEqual(titles);
    // The pauses grow: at once, then 5 s, 30 s, 2, 10, 30 minutes later, or up to five minutes after that.
    expect(titlesOf(away)).toEqual(Array(6).fill("null"));
    expect(await webhooks.get({ id })).toMatchObject({ active: true, failing_since: expect.any(String) });

    away.received.length = 0;
    away.answer = (_, response) => void response.end();
    pass(hour);
    await deliverDue();
    expect(titlesOf(away)).toEqual(titles);
    expect(await webhooks.get({ id })).toMatchObject({ failing_since: null, next_attempt_at: null });
    const { data: deliveries } = await webhooks.deliveries({ id });
    expect(deliveries.slice(-1)).toMatchObject([{ attempt: 1, ok: false, status: 503 }]);
    expect(deliveries.find(({ ok, attempt }) => ok && attempt > 1)).toMatchObject({
      attempt: 7,
      status: 200,
    });
    expect(
      new Set(deliveries.filter(({ event }) => event === "link.created").map(({ event_id }) => event_id))
        .size,
    ).toBe(1);
  });

  it("is switched off after three days, with a notice", async () => {
    const site = await startSite(answering(500));
    const { links, webhooks, activity, id } = await newWebhook(site.url, "link.created");
    await links.create({ url });
    await deliverDue();
    for (let passed = 0; passed < 71 * hour; passed += 8 * hour) {
      pass(8 * hour);
      await deliverDue();
    }
    const reason = "No delivery succeeded for three days. The last answer had the status 500";
    expect(await webhooks.get({ id })).toMatchObject({ active: false, inactive_reason: reason });
    expect(events).toContainEqual(expect.objectContaining({ code: "webhook_switched_off", id, reason }));
    expect((await activity.list({})).data[0]).toMatchObject({
      action: "webhook_switched_off",
      about: `127.0.0.1:${site.port}: ${reason}`,
    });
    const [mail] = await core.mails.list(1);
    expect([mail?.subject, mail?.text]).toEqual([
      expect.stringContaining("is off"),
      expect.stringContaining("has succeeded for three days"),
    ]);
    const before = site.received.length;
    await links.create({ url });
    pass(hour);
    await deliverDue();
    expect(site.received).toHaveLength(before);
  });

  it("is switched off when it answers 410", async () => {
    const site = await startSite(answering(410));
    const { links, webhooks, id } = await newWebhook(site.url, "link.created");
    await links.create({ url });
    await deliverDue();
    expect(await webhooks.get({ id })).toMatchObject({
      active: false,
      inactive_reason: "The receiver answered 410 (Gone)",
    });
    expect((await core.mails.list(1))[0]?.text).toContain("is gone (410)");
  });

  it("is not followed when it redirects", async () => {
    const target = await startSite();
    const site = await startSite(answering(307, { location: target.url }));
    const { links, webhooks, id } = await newWebhook(site.url, "link.created");
    await links.create({ url });
    await deliverDue();
    expect((await webhooks.deliveries({ id })).data).toMatchObject([{ ok: false, status: 307 }]);
    expect(target.received).toEqual([]);
  });

  it("does not delay others while it hangs", async () => {
    const own = await setUp();
    const hanging = await startSite(() => {});
    const other = await startSite();
    const { links, webhooks } = await own.newWebhook(hanging.url, "link.created");
    await webhooks.create({ url: other.url, events: ["link.created"] });
    await links.create({ url });
    own.core.webhooks.start();
    await until(() => hanging.received.length === 1);
    await links.create({ url });
    await until(() => other.received.length === 2);
    expect(hanging.received).toHaveLength(1);
    await own.core.webhooks.close();
  });
});

describe("events", () => {
  it("of one link stay in order, while those of others are delivered at the same time", async () => {
    let open = 0;
    let most = 0;
    const site = await startSite(async (_, response) => {
      most = Math.max(most, ++open);
      await until(() => most > 1, 1000).catch(() => {});
      open -= 1;
      response.end();
    });
    const { links } = await newWebhook(site.url, "link.created", "link.updated");
    const made = await Promise.all(Array.from({ length: 4 }, () => links.create({ url })));
    for (const title of ["a", "b", "c"]) await Promise.all(made.map(({ id }) => links.update({ id, title })));
    await deliverDue();
    for (const { id } of made) {
      const titles = toldBy(site.received).flatMap(({ data }) => (data.id === id ? [data.title] : []));
      expect(titles).toEqual([null, "a", "b", "c"]);
    }
    expect(most).toBeGreaterThan(1);
  });

  it("are delivered once by two nodes", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.updated");
    const { id } = await links.create({ url });
    const node = await anotherCore(test.databaseUrl, { ...options, clock: () => test.time.now });
    const titles = Array.from({ length: 30 }, (_, at) => `Title ${at}`);
    for (const title of titles) {
      await links.update({ id, title });
      if (title.endsWith("9")) await Promise.all([deliverDue(), node.webhooks.deliverDue()]);
    }
    await deliverDue();
    expect(toldBy(site.received).map(({ data }) => data.title)).toEqual(titles);
  });

  it("are delivered once if they happen while an earlier one is delivered", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.updated");
    const { id } = await links.create({ url });
    const node = await anotherCore(test.databaseUrl, { ...options, clock: () => test.time.now });
    site.answer = async (_, response) => {
      if (site.received.length === 1) {
        await links.update({ id, title: "second" });
        await node.webhooks.deliverDue(); // It gives the event its position, and cannot lease the webhook.
      }
      response.end();
    };
    await links.update({ id, title: "first" });
    await deliverDue();
    expect(toldBy(site.received).map(({ data }) => data.title)).toEqual(["first", "second"]);
  });

  it("are delivered by another node when one is killed, none is lost, and their order stays", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.updated");
    const { id } = await links.create({ url });
    const titles = Array.from({ length: 8 }, (_, at) => `Title ${at}`);
    for (const title of titles) await links.update({ id, title });
    let isKilled = false;
    site.answer = (_, response) => {
      if (site.received.length < 4 || isKilled) response.end();
      else child.kill("SIGKILL");
    };
    const library = pathToFileURL(join(import.meta.dirname, "../../../src/index.ts")).href;
    const program = `import { createCore } from ${JSON.stringify(library)};
      const core = await createCore({
        databaseUrl: ${JSON.stringify(test.databaseUrl)}, shortBase: "http://short.test",
        outboundNetworks: ["127.0.0.0/8"], clock: () => new Date(${test.time.now.getTime()}) });
      await core.webhooks.deliverDue();`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((resolve) => child.on("exit", resolve));
    isKilled = true;
    await deliverDue();
    expect(site.received).toHaveLength(4); // The lease of the other node goes on.
    pass(2 * minute);
    await deliverDue();
    const told = toldBy(site.received).map(({ data }) => data.title);
    expect(told.slice(4)).toEqual(titles); // At least once: what was not saved is delivered again.
  });

  it("that are committed late are delivered too", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.updated");
    const [first, second] = [await links.create({ url }), await links.create({ url })];
    const client = await depsOf(core).pool.connect();
    await client.query("begin");
    await client.query("update links set title = 'late', updated_at = now() where id = $1", [first.id]);
    await links.update({ id: second.id, title: "early" });
    await deliverDue();
    expect(toldBy(site.received).map(({ data }) => data.title)).toEqual(["early"]);
    await client.query("commit");
    client.release();
    await deliverDue();
    expect(toldBy(site.received).map(({ data }) => data.title)).toEqual(["early", "late"]);
  });

  it("are not kept for accounts without a webhook that wants them", async () => {
    const { links } = await newWebhook("http://127.0.0.1:1/", "link.deleted");
    const { id } = await links.create({ url });
    await core.clicks.record(clickOn(id));
    const { rows } = await depsOf(core).pool.query(
      "select from webhook_events where subject ->> 'id' = $1 union all select from webhook_clicks",
      [id],
    );
    expect(rows).toEqual([]);
  });

  it("can be delivered again from a time", async () => {
    const site = await startSite();
    const { links, webhooks, id } = await newWebhook(site.url, "link.created");
    await links.create({ url, title: "before" });
    await deliverDue();
    const { rows } = await depsOf(core).pool.query<{ now: string }>("select clock_timestamp() as now");
    const from = new Date(Date.parse(rows[0]?.now ?? "") + 1);
    await until(() => Date.now() > from.getTime());
    await links.create({ url, title: "after" });
    await deliverDue();
    site.received.length = 0;
    expect(await webhooks.replay({ id, from: from.toISOString() })).toEqual({ id, events: 1 });
    await deliverDue();
    expect(toldBy(site.received).map(({ data }) => data.title)).toEqual(["after"]);
    expect(await webhooks.replay({ id, from: "2026-01-01T00:00:00Z" })).toEqual({ id, events: 2 });
    await deliverDue();
    const titles = toldBy(site.received).map(({ data }) => String(data.title));
    // Events of different links may arrive in any order.
    expect(titles.toSorted()).toEqual(["after", "after", "before"]);
    const ids = site.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids[titles.lastIndexOf("after")]).toBe(ids[0]);
  });

  it("wait while the account is suspended, or its plan has no webhooks", async () => {
    const site = await startSite();
    const { links, actor } = await newWebhook(site.url, "link.created");
    await links.create({ url });
    await core.accounts.setPlan(actor.account.email, "free");
    await deliverDue();
    expect(site.received).toEqual([]);
    await core.accounts.setPlan(actor.account.email, "pro");
    await core.accounts.suspend(actor.account.id, "spam");
    await deliverDue();
    expect(site.received).toEqual([]);
    await core.accounts.resume(actor.account.id);
    await deliverDue();
    expect(site.received).toHaveLength(1);
  });

  it("are deleted after a week, with the record of their deliveries", async () => {
    const site = await startSite();
    const { links, webhooks, id } = await newWebhook(site.url, "link.created");
    await links.create({ url });
    await deliverDue();
    await depsOf(core).pool.query("update webhook_events set at = now() - interval '8 days'");
    await depsOf(core).pool.query("update webhook_deliveries set at = now() - interval '8 days'");
    await core.chores.run();
    expect(await webhooks.replay({ id, from: "2026-01-01T00:00:00Z" })).toEqual({ id, events: 0 });
    expect((await webhooks.deliveries({ id })).data).toEqual([]);
  });
});
