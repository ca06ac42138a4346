import { afterAll, describe, expect, it } from "vitest";
import { LinkEntity, type NewLinkRow } from "../../src/links/link.row.ts";
import { insertRow } from "../../src/links/insert.ts";
import { createTestCore } from "../../src/testing.ts";
import { ownDomainId } from "../../src/kernel/host-names.ts";
import { depsOf, url } from "../helpers.ts";

const { core, account, close } = await createTestCore();
afterAll(close);
const deps = depsOf(core);
const { orm, newId } = deps;

const row: NewLinkRow = {
  id: newId(),
  account_id: (await account("pro")).id,
  domain_id: ownDomainId,
  slug: "every-column",
  destination: url,
  title: "Title",
  notes: "First line\nsecond line",
  qr: {
    color: "#003366",
    background: "#ffffff",
    dots: "dots",
    eyes: "circle",
    margin: 2,
    level: "Q",
    logo: true,
  },
  created_at: new Date("2026-03-01T12:00:00.123Z"),
  created_by: "key:laptop",
  made_by: newId(),
  updated_at: new Date("2026-03-02T12:00:00.123Z"),
  is_active: false,
  starts_at: new Date("2026-03-03T12:00:00.123Z"),
  expires_at: new Date("2027-03-01T12:00:00.123Z"),
  click_limit: 1_000_000_000,
  password_hash: "scrypt$a$b",
  rules: [{ when: { device: ["mobile"] }, url, name: "Phones" }],
  geo_rules: [{ country: "DE", url }],
  disabled_at: new Date("2026-05-06T07:08:09.010Z"),
  ab_test: { variants: [1, 2].map((weight) => ({ url, weight })) },
  redirect_status: 301,
  forward_query: "keep",
  forward_path: true,
  preview: { title: "A title", description: null, image: url },
  fallback_url: url,
};

describe("inserting a link", () => {
  it("stores every property of the row", async () => {
    await insertRow(deps.pool, row, []);
    const stored = await orm.em.fork().findOneOrFail(LinkEntity, { id: row.id }, { filters: false });
    expect(stored).toMatchObject(row);
  });

  it("does not compile with a property that would not be stored, or without one that is", () => {
    const withCount = { ...row, click_count: 5 };
    const { is_active: _, ...withoutActive } = row;
    const calls = [
      // @ts-expect-error: no column of a new link
      () => insertRow(deps.pool, withCount, []),
      // @ts-expect-error: the same in a literal
      () => insertRow(deps.pool, { ...row, bucket_id: null }, []),
      // @ts-expect-error: a column is missing
      () => insertRow(deps.pool, withoutActive, []),
    ];
    expect(calls).toHaveLength(3);
  });
});
