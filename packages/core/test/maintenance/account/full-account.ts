import { png } from "@terse/testkit/png";
import { addDomain, clickOn, depsOf } from "../../helpers.ts";
import type { PersonalAccount, Actor } from "../../../src/index.ts";
import type { TestCore } from "../../../src/testing.ts";

const bot = "Googlebot/2.1 (+http://www.google.com/bot.html)";

/** An account that has something in every table, and every text by which it could be recognized. */
export async function fullAccount({ core, account: newAccount }: TestCore, name: string) {
  const { id: owner, email } = await newAccount("enterprise");
  const { pool } = depsOf(core);
  await pool.query("update users set name = $2 where id = $1", [owner, `Person ${name}`]);
  const account: PersonalAccount = { id: owner, email, name: `Person ${name}`, plan: "enterprise" };
  const actor: Actor = { kind: "account", account, credential: "internal" };
  const caller = core.caller(actor);
  const url = (what: string) => `https://${what}.${name}.example/`;
  const domain = `go.${name}.example`;

  await addDomain(core, owner, domain);
  const [added] = await caller.domains.list();
  await caller.domains.update({
    id: added?.id ?? "",
    root_url: url("root"),
    assetlinks: [{ include: url("include") }],
  });
  const webhook = await caller.webhooks.create({
    url: url("hooks"),
    events: ["link.created", "link.clicked"],
  });
  const link = await caller.links.create({
    url: url("destination"),
    title: `Title ${name}`,
    notes: `Notes about ${name}`,
    password: `password-${name}`,
    tags: [`Tag ${name}`],
    rules: [{ when: { country: ["DE"] }, url: url("rule"), name: `Rule ${name}` }],
    geo_rules: [{ country: "DE", url: url("geo") }],
    ab_test: {
      variants: [
        { url: url("a"), weight: 1 },
        { url: url("b"), weight: 1 },
      ],
    },
    preview: { title: `Preview ${name}`, image: url("image") },
    redirect_status: 301,
    forward_query: "keep",
    forward_path: true,
  });
  await caller.sharedReports.create({ link_id: link.id, name: `Report ${name}` });
  await caller.sharedReports.create({ tag: `Tag ${name}`, password: `password-${name}` });
  await caller.alerts.create({ kind: "surge", factor: 3, name: `Alert ${name}`, tag: `Tag ${name}` });
  const limited = await caller.links.create({
    url: url("limited"),
    click_limit: 2,
    fallback_url: url("fallback"),
  });
  await core.redirects.resolve("short.test", limited.slug, { country: () => null, id: () => "" });
  const onDomain = await caller.links.create({ url: url("on-domain"), domain, slug: `custom-${name}` });
  const deleted = await caller.links.create({ url: url("deleted"), slug: `deleted-${name}` });
  const bucket = await caller.buckets.create({
    name: `Bucket ${name}`,
    slug: `bucket-${name}`,
    links: [{ title: `Item ${name}`, url: url("item") }],
  });
  await caller.links.setQrLogo({ image: png(8, 8).toString("base64") });
  await caller.buckets.setAvatar({ id: bucket.id, image: png(8, 8).toString("base64") });
  const { rows: items } = await pool.query<{ id: string }>("select id from links where bucket_id = $1", [
    bucket.id,
  ]);
  for (const { id } of [link, link, onDomain, deleted, ...items]) {
    await core.clicks.record(clickOn(id, { campaign: `utm_campaign=Campaign-${name}\n` }));
    await core.clicks.record(clickOn(id, { user_agent: bot }));
  }
  // Of an account with many clicks.
  await pool.query("insert into account_hour_sums values ($1, now(), 0, '\\x0000', 0, '{}', '{}')", [owner]);
  await caller.links.delete({ id: deleted.id });
  const { rows: directory } = await pool.query<{ group_id: string }>(
    `with token as (insert into scim_tokens values (gen_random_uuid(), $1, 'Token ${name}', '${name}', now())),
       person as (
         insert into scim_users (id, account_id, user_id, user_name, email, attributes, active, made_person, created_at, updated_at)
         values (gen_random_uuid(), $1, $1, 'person-${name}', 'person@${name}.example', '{"displayName": "Person ${name}"}', true,
           false, now(), now())
         returning id),
       grant_ as (insert into group_grants values ($1, $1, 'provider-${name}')),
       team as (
         insert into scim_groups (id, account_id, display_name, created_at, updated_at)
         values (gen_random_uuid(), $1, 'Team ${name}', now(), now()) returning id)
     insert into scim_group_members select team.id, person.id from team, person returning group_id`,
    [owner],
  );
  await pool.query(
    "insert into idempotent_answers (account_id, key, request_hash, sealed, created_at) values ($1, $2, '', '', now())",
    [owner, `key-${name}`],
  );
  await pool.query(
    "insert into import_positions (link_id, source, position, last_at) values ($1, 'shlink', 1, now())",
    [link.id],
  );
  await pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, type, at, attempt, ok, duration_ms, answer)
     values (gen_random_uuid(), $1, gen_random_uuid(), 'link.created', now(), 1, false, 1, 'none')`,
    [webhook.id],
  );
  await pool.query(
    "insert into link_health (link_id, account_id, host, next_at) values ($1, $2, $3, now())",
    [link.id, owner, new URL(link.destination).host],
  );
  await pool.query("insert into health_hosts select host, next_at from link_health where link_id = $1", [
    link.id,
  ]);
  await pool.query(
    `with job as (
       insert into jobs (id, account_id, kind, status, input, total, created_at, ended_at)
       values ($1, $2, 'links.update', 'done', $3, 1, now(), now()) returning id)
     insert into job_parts (job_id, number, size, result) select id, 0, 1, $4 from job`,
    [
      depsOf(core).newId(),
      owner,
      JSON.stringify({ set: { url: url("set") } }),
      JSON.stringify([{ id: link.id, error: `url: of ${name}` }]),
    ],
  );
  await caller.users.updateConsents({ marketing: true });
  await caller.invitations.create({ email: `guest@${name}.example`, role: "viewer" });
  const key = await core.keys.issue(owner, `Key ${name}`);
  const connection = await core.oauth.connect({
    account,
    user_id: account.id,
    client_id: url("client"),
    client_name: `Program ${name}`,
    client_host: `client.${name}.example`,
    resource: "http://mcp.test/mcp",
    scopes: ["links:read"],
  });
  await core.oauth.store.upsert("RefreshToken", `token-${name}`, { grantId: connection }, 60);
  await core.oauth.store.upsert("Session", `session-${name}`, { accountId: owner }, 60);
  await core.logins.signIn({
    provider: "google",
    issuer: "https://issuer.example",
    subject: `subject-${name}`,
    email,
    email_verified: true,
    name: null,
  });
  const source = { address: "203.0.113.9", user_agent: `agent-${name}` };
  const session = await core.sessions.create(owner, { way: "google", source });
  await core.logins.issueLink(owner);
  // Beside the mail about the key
  await pool.query("insert into mail_opt_outs values ($1, 'notices', now())", [owner]);
  await caller.preferences.update({ reports: { frequency: "weekly" }, time_zone: "Europe/Berlin" });
  await pool.query("insert into report_periods values ($1, 'weekly', '2026-11-16', now())", [owner]);
  await pool.query("insert into mail_refusals values ($1, now(), $2)", [email, `No ${name} here`]);
  await pool.query(
    `insert into email_sign_ins (id, address, token_hash, code_hash, browser_hash, return_to, created_at, expires_at)
     values ($1, $2, $3, '', '', '/', now(), now())`,
    [depsOf(core).newId(), email, `token-${name}`],
  );
  await pool.query(
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, synced, name, created_at)
     values (gen_random_uuid(), $1, $2, '', 0, '{internal}', true, $3, now())`,
    [owner, Buffer.from(owner), `Passkey ${name}`],
  );
  await core.reports.submit({
    link_id: link.id,
    reason: "spam",
    details: `About ${name}`,
    address: "198.51.100.1",
  });

  const traces = [
    name, // in its names, slugs, destinations, titles, domain and agent
    owner,
    email,
    link.slug,
    key.prefix,
    ...[link, limited, onDomain, deleted, bucket, key, session, webhook, ...items].map(({ id }) => id),
    connection,
    ...directory.map(({ group_id }) => group_id),
  ];
  return { account, actor, caller, traces, link, onDomain, bucket, domain, key, session, source };
}
