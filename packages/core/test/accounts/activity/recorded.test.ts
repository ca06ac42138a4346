import { challengeOf, prove, unprove } from "@terse/testkit/dns";
import { expect, it } from "vitest";
import { recordedScopes } from "../../../src/accounts/activity/activity.schema.ts";
import { graceMs } from "../../../src/domains/checks.ts";
import type { Account } from "../../../src/index.ts";
import { setUp } from "../../domains/setup.ts";
import { call, idsOf, operations, seed } from "../../fixtures.ts";
import { depsOf } from "../../helpers.ts";

const { core, actor, dns, time, pass, newVerified } = await setUp();

/** The activity of an account, or of any of these workspaces. */
async function activityOf(
  { id }: Account,
  others: readonly string[] = [],
): Promise<[action: string, about: string | null][]> {
  const { rows } = await depsOf(core).pool.query<{ action: string; about: string | null }>(
    "select action, about from activity where account_id = $1 or account_id::text = any ($2) order by id",
    [id, others],
  );
  return rows.map(({ action, about }) => [action, about]);
}

const recorded = operations().filter(
  ({ type, meta }) =>
    type === "mutation" && [meta.scope ?? []].flat().some((scope) => recordedScopes.includes(scope)),
);

it.each(recorded)("$name is in the activity of the account", async ({ name, fixture }) => {
  const caller = await actor("enterprise");
  const own = await seed(core, caller.account, fixture.uses);
  const ids = Object.values(own).map(({ id }) => id);
  if (name === "workspaces.restore") await call(core, "workspaces.delete", caller, fixture.input(idsOf(own)));
  const before = await activityOf(caller.account, ids);
  const answer = await call(core, name, caller, fixture.input(idsOf(own)));
  // What happens to another workspace is in that one's.
  const { id } = answer as { id?: unknown };
  expect((await activityOf(caller.account, [...ids, String(id)])).length).toBeGreaterThan(before.length);
});

it("an entry says what was changed", async () => {
  const { account } = await actor("enterprise");
  const caller = core.caller({ kind: "account", account, credential: "internal" });
  const { alerts, domains, keys, sharedReports, users, webhooks } = caller;

  const webhook = await webhooks.create({ url: "https://one.invalid/", events: ["link.created"] });
  await webhooks.update({ id: webhook.id, active: false });
  await webhooks.update({ id: webhook.id, url: "https://two.invalid/", active: true });
  await webhooks.replay({ id: webhook.id, from: time.now.toISOString() });
  await webhooks.test({ id: webhook.id });
  await webhooks.delete({ id: webhook.id });

  const report = await sharedReports.create({ name: "Autumn" });
  await sharedReports.update({ id: report.id, name: "Winter" });
  await sharedReports.update({ id: report.id, active: false });
  await sharedReports.update({ id: report.id, active: true });
  await sharedReports.delete({ id: report.id });

  const alert = await alerts.create({ kind: "silence", hours: 24, name: "Silence" });
  await alerts.update({ id: alert.id, hours: 48 });
  await alerts.delete({ id: alert.id });

  const key = await keys.create({ name: "laptop" });
  const next = await keys.rotate({ id: key.id });

  await users.updateConsents({});
  await users.updateConsents({ marketing: true });

  const name = "go.recorded.example";
  const domain = await domains.create({ domain: name });
  await domains.verify({ id: domain.id });
  prove(dns, name, challengeOf(domain));
  await domains.verify({ id: domain.id });
  await domains.verify({ id: domain.id });
  await domains.update({ id: domain.id });
  await domains.update({ id: domain.id, root_url: "https://example.com/", expired_url: null });
  await domains.delete({ id: domain.id });

  expect(await activityOf(account)).toEqual([
    ["webhook_created", "one.invalid"],
    ["webhook_changed", "one.invalid"],
    ["webhook_changed", "one.invalid to two.invalid"],
    ["webhook_replayed", "two.invalid"],
    ["webhook_tested", "two.invalid"],
    ["webhook_deleted", "two.invalid"],
    ["report_shared", "Autumn"],
    ["report_changed", "Winter"],
    ["report_revoked", "Winter"],
    ["report_shared", "Winter"],
    ["report_revoked", "Winter"],
    ["alert_created", "Silence"],
    ["alert_changed", "Silence"],
    ["alert_deleted", "Silence"],
    ["key_created", `laptop (${key.prefix})`],
    ["key_replaced", `laptop (${key.prefix})`],
    ["key_created", `laptop (${next.prefix})`],
    ["consents_changed", "marketing on"],
    ["domain_added", name],
    ["domain_verified", name],
    ["domain_changed", `${name} (root_url, expired_url)`],
    ["domain_deleted", name],
  ]);
});

it("a domain that the hourly check gives up is recorded as the service's doing", async () => {
  const { actor: owner, domain } = await newVerified("given-up.recorded.example");
  unprove(dns, domain);
  for (const hours of [1, graceMs / 3_600_000]) {
    pass(hours);
    await core.domains.checkDue();
  }
  const { data } = await core.caller(owner).activity.list({ limit: 1 });
  expect(data).toMatchObject([{ action: "domain_failed", about: domain, by: { kind: "service", id: null } }]);
});
