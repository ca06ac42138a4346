import { testDns } from "@terse/testkit/dns";
import { expect, it } from "vitest";
import { rejection, url } from "../../helpers.ts";
import { startSite } from "../../outbound/site.ts";
import { setUp, toldBy } from "./setup.ts";

const { core, actor, pass, newWebhook } = await setUp();
const { deliverDue } = core.webhooks;

it("is told nothing of what happens while it is switched off", async () => {
  const site = await startSite();
  const { links, webhooks, id } = await newWebhook(site.url, "link.created");
  // Events are kept, because another webhook of the account wants them.
  await webhooks.create({ url: "http://127.0.0.1:1/", events: ["link.created"] });
  await webhooks.update({ id, active: false });
  await links.create({ url, title: "meanwhile" });
  await deliverDue();
  await webhooks.update({ id, active: true });
  await links.create({ url, title: "afterwards" });
  await deliverDue();
  expect(toldBy(site.received).map(({ data }) => data.title)).toEqual(["afterwards"]);
});

it("is told what its events are changed to, at its new URL", async () => {
  const [before, after] = [await startSite(), await startSite()];
  const { links, webhooks, id } = await newWebhook(before.url, "link.created");
  const changed = await webhooks.update({ id, url: after.url, events: ["link.deleted", "link.deleted"] });
  expect(changed).toMatchObject({ url: after.url, events: ["link.deleted"], active: true });
  const link = await links.create({ url });
  await links.delete({ id: link.id });
  pass(60);
  await deliverDue();
  expect(before.received).toEqual([]);
  expect(toldBy(after.received).map(({ type }) => type)).toEqual(["link.deleted"]);
});

it("is sent a test at once, also while it is switched off", async () => {
  const site = await startSite((_, response) => void response.writeHead(418).end("a\0teapot"));
  const { webhooks, id } = await newWebhook(site.url, "link.created");
  await webhooks.update({ id, active: false });
  expect(await webhooks.test({ id })).toMatchObject({
    event: "webhook.test",
    ok: false,
    status: 418,
    answer: "ateapot",
    failure: null,
  });
  expect((await webhooks.deliveries({ id })).data).toHaveLength(1);
});

it("is one of ten at most, also when many are created at once", async () => {
  const { webhooks } = core.caller(await actor("pro"));
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, () =>
      webhooks.create({ url: "https://example.com/", events: ["link.created"] }),
    ),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await rejection(webhooks.create({ url: "https://example.com/", events: ["link.created"] }))).toEqual(
    {
      code: "FORBIDDEN",
      message: "An account has at most 10 webhooks: delete one to create another",
    },
  );
});

it("must have an https URL where the operator allows no private network", async () => {
  const strict = await setUp({ outboundNetworks: [] });
  const { webhooks } = strict.core.caller(await strict.actor("pro"));
  expect(await rejection(webhooks.create({ url: "http://example.com/", events: ["link.created"] }))).toEqual({
    code: "BAD_REQUEST",
    message: "url: must be an https:// URL",
  });
});

it("is refused a URL in a network that is not allowed, when it is given", async () => {
  const dns = await testDns();
  dns.set("A", "inside.example", "192.168.1.5");
  dns.set("A", "both.example", "192.168.1.5", "93.184.216.34");
  const strict = await setUp({ outboundNetworks: ["10.1.0.0/16"], dnsServers: [dns.address] });
  const { webhooks } = strict.core.caller(await strict.actor("pro"));
  const events = ["link.created"] as const;
  const refusal = {
    code: "BAD_REQUEST",
    message: expect.stringMatching(/^url: is in a private network/),
  };
  const forbidden = [
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest",
    "https://inside.example/",
  ];
  for (const given of forbidden)
    expect(await rejection(webhooks.create({ url: given, events: [...events] })), given).toEqual(refusal);
  // What does not resolve may do so later, and one address is enough.
  for (const given of ["http://10.1.2.3/", "https://both.example/", "https://later.example/"]) {
    const { id } = await webhooks.create({ url: given, events: [...events] });
    expect(await rejection(webhooks.update({ id, url: "https://10.2.0.1/" })), given).toEqual(refusal);
  }
});
