import { describe, expect, it } from "vitest";
import { campaignIn, campaignOf } from "../../../src/clicks/derive/campaign.ts";
import { campaignDimensions } from "../../../src/clicks/dimension-names.ts";

const of = (target: string, destination: string) => campaignOf(campaignIn(target, destination));

describe("a campaign", () => {
  it("is the visit's, and what the visit does not name is the destination's", () => {
    const destination = "https://example.com/?utm_source=site&utm_medium=email&utm_term=shoes#a";
    expect(of("/launch?a=b&utm_source=News+letter&utm_content=%F0%9F%91%8D", destination)).toEqual([
      "News letter",
      "email",
      "",
      "shoes",
      "👍",
    ]);
    expect(of("/launch", destination)).toEqual(["site", "email", "", "shoes", ""]);
    expect(of("utm_campaign=spring", "")).toEqual(["", "", "spring", "", ""]);
  });

  it.each([
    ["/launch", "https://example.com/"],
    ["/launch?xutm_source=a", "https://example.com/utm_source=a"],
    ["/launch?a=utm_source=b", "https://example.com/#utm_source=a"],
    ["/launch?utm_source=", "https://example.com/?a#?utm_source=b"],
    ["/launch?utm_source=(None)", "https://example.com/?utm_medium=%20%0a"],
    ["/launch?utm_unknown=a", "https://example.com/?UTM_SOURCE=a"],
  ])("is not in %s to %s", (target, destination) => {
    expect(of(target, destination)).toBeNull();
  });

  it("has bounded values without control characters", () => {
    const [source, , , , content = ""] =
      of(`/?utm_source=a%00%0Ab%E2%80%A8c&utm_content=${encodeURIComponent("é".repeat(400))}`, "") ?? [];
    expect(source).toBe("a b c");
    expect(content).toBe("é".repeat(100));
    const [cut = ""] = of(`/?utm_source=${"x".repeat(99)}%F0%9F%91%8D`, "") ?? [];
    expect(cut).toBe("x".repeat(99));
    const all = campaignDimensions.map((name) => `${name}=${"%25".repeat(400)}`).join("&");
    expect(campaignIn(`/?${all}`, `https://a.example/?${all}`).length).toBeLessThanOrEqual(1001);
  });

  it("is whole, whatever stands between its parameters, and in every script", () => {
    const destination = "https://example.com/?utm_source=site&utm_campaign=other&utm_content=banner";
    expect(of(`/launch?utm_source=news&fbclid=${"A".repeat(480)}&utm_campaign=spring`, destination)).toEqual([
      "news",
      "",
      "spring",
      "",
      "banner",
    ]);
    const words = ["春の新作コレクションのお知らせ".repeat(6), "早割 100% + 送料無料 & #1", "ж".repeat(100)];
    const [campaign = "", term = "", content = ""] = words.map(encodeURIComponent);
    const query = `utm_campaign=${campaign}&utm_term=${term}&utm_content=${content}`;
    expect(of(`/launch?${query}`, destination)).toEqual(["site", "", ...words]);
    // As Node receives bytes that a client did not encode
    const raw = Buffer.from(words[2] as string).toString("latin1");
    expect(of(`/launch?utm_campaign=${campaign}&utm_content=${raw}`, "")?.[4]).toBe(words[2]);
  });

  it("has a part of each value if all are long", () => {
    const values = of(`/?${campaignDimensions.map((name) => `${name}=${"%25".repeat(100)}`).join("&")}`, "");
    for (const value of values ?? []) expect(value).toMatch(/^%{29}$/);
  });
});
