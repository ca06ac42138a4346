import { png } from "@terse/testkit/png";
import { addDomain, clickOn, depsOf } from "../helpers.ts";
import type { Account, Actor } from "../../src/index.ts";
import type { TestCore } from "../../src/testing/index.ts";

const bot = "Googlebot/2.1 (+http://www.google.com/bot.html)";

/** An account that has something in every table, and every text by which it could be recognized. */
export async function fullAccount({ core, account: newAccount }: TestCore, name: string) {
  const { id: owner, email } = await newAccount("enterprise");
  const { pool } = depsOf(core);
  await pool.query("update users set name = $2 where id = $1", [owner, `Person ${name}`]);
  const account: Account = { id: owner, email, name: `Person ${name}`, plan: "enterprise" };
  const actor: Actor = { kind: "account", account, credential: "internal" };
  const caller = core.caller(actor);
  const url = (what: string) => `https://${what}.${name}.example/`;
  const domain = `go.${name}.example`;

  await addDomain(core, owner, domain);
  const link = await caller.links.create({
    url: url("destination"),
    title: `Title ${name}`,
    geo_rules: [{ country: "DE", url: url("geo") }],
    ab_test: {
      variants: [
        { url: url("a"), weight: 1 },
        { url: url("b"), weight: 1 },
      ],
    },
    password: `password-${name}`,
  });
  const onDomain = await caller.links.create({ url: url("on-domain"), domain, slug: `custom-${name}` });
  const deleted = await caller.links.create({ url: url("deleted"), slug: `deleted-${name}` });
  const bucket = await caller.buckets.create({
    name: `Bucket ${name}`,
    slug: `bucket-${name}`,
    links: [{ title: `Item ${name}`, url: url("item") }],
  });
  await caller.buckets.setAvatar({ id: bucket.id, image: png(8, 8).toString("base64") });
  const { rows: items } = await pool.query<{ id: string }>("select id from links where bucket_id = $1", [
    bucket.id,
  ]);
  for (const { id } of [link, link, onDomain, deleted, ...items]) {
    await core.clicks.record(clickOn(id));
    await core.clicks.record(clickOn(id, { user_agent: bot }));
  }
  await caller.links.delete({ id: deleted.id });
  await pool.query(
    "insert into idempotent_answers (account_id, key, request_hash, sealed, created_at) values ($1, $2, '', '', now())",
    [owner, `key-${name}`],
  );
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
  const key = await core.keys.issue(owner, `Key ${name}`);
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
    ...[link, onDomain, deleted, bucket, key, session, ...items].map(({ id }) => id),
  ];
  return { account, actor, caller, traces, link, onDomain, bucket, domain, key, session, source };
}
