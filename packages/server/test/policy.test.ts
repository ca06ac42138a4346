import { expect, it } from "vitest";
import { bucketPage, languages } from "../src/index.ts";

const { en: english } = languages;
const page = (origin: string) => ({
  name: "A page",
  url: `${origin}/page`,
  description: null,
  accent_color: null,
  avatar: null,
  links: [],
});

it("the policy of a page has no source with an IPv6 address, which browsers ignore", async () => {
  const policyOf = async (shortBase: string, framedBy: string) =>
    (await bucketPage("0000", page(shortBase), english, { framedBy })).headers["Content-Security-Policy"];
  const names = await policyOf("https://go.example", "https://api.example");
  expect(names).toContain("img-src 'self' https://go.example data:;");
  expect(names).toContain("frame-ancestors https://api.example;");
  const addresses = await policyOf("http://[::1]:3001", "http://[::1]:3000");
  expect(addresses).toContain("img-src 'self' http: data:;");
  expect(addresses).toContain("frame-ancestors 'self';");
});
