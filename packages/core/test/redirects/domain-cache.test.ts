import { describe, expect, it } from "vitest";
import { DomainCache } from "../../src/redirects/cache.ts";

const domain = {
  id: "0197a0a0-0000-7000-8000-000000000000",
  root_url: null,
  not_found_url: null,
  expired_url: null,
  apple_app_site_association: null,
  assetlinks: null,
  import_from: null,
};
const loadedAt = 1;

describe("the cache of domains", () => {
  it("keeps a domain, however many names are tried that none has", () => {
    const cache = new DomainCache();
    cache.set("go.example", { domain, loadedAt });
    for (let at = 0; at < 30_000; at++) cache.set(`h${at}.example`, { domain: null, loadedAt });
    expect(cache.get("go.example")).toEqual({ domain, loadedAt });
    expect(cache.get("h29999.example")).toEqual({ domain: null, loadedAt });
    expect(cache.get("h0.example")).toBeUndefined();
  });

  it("forgets that a name is unknown once it is deleted, or a domain has it", () => {
    const cache = new DomainCache();
    cache.set("go.example", { domain: null, loadedAt });
    cache.delete("go.example");
    expect(cache.get("go.example")).toBeUndefined();
    cache.set("go.example", { domain: null, loadedAt });
    cache.set("go.example", { domain, loadedAt });
    expect(cache.get("go.example")?.domain).toEqual(domain);
    cache.set("go.example", { domain: null, loadedAt });
    expect(cache.get("go.example")?.domain).toBeNull();
  });

  it("keeps stale names of both kinds, which have to be read again", () => {
    const cache = new DomainCache();
    cache.set("go.example", { domain, loadedAt });
    cache.set("other.example", { domain: null, loadedAt });
    cache.markStale();
    expect(cache.get("go.example")).toEqual({ domain, loadedAt: 0 });
    expect(cache.get("other.example")).toEqual({ domain: null, loadedAt: 0 });
  });
});
