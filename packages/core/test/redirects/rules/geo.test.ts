import { describe, expect, it } from "vitest";
import { geoUrl } from "../../../src/redirects/rules/geo.ts";

describe("the rule for a country", () => {
  const rules = [
    { country: "DE", url: "https://example.com/de" },
    { country: "FR", url: "https://example.com/fr" },
  ];

  it("is the one with this country", () => {
    expect(geoUrl(rules, "FR")).toBe("https://example.com/fr");
  });

  it("does not exist for other countries, an unknown one, or without rules", () => {
    for (const country of ["US", "", null]) expect(geoUrl(rules, country)).toBeNull();
    expect(geoUrl([], "DE")).toBeNull();
  });
});
