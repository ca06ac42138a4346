import { describe, expect, it } from "vitest";
import { campaignIn, campaignOf } from "../../../src/clicks/derive/campaign.ts";

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
      of(`/?utm_source=a%00%0Ab%E2%80%A8c&utm_content=${"é".repeat(400)}`, "") ?? [];
    expect(source).toBe("a b c");
    expect(content).toBe("é".repeat(100));
    const [cut = ""] = of(`/?utm_source=${"x".repeat(99)}%F0%9F%91%8D`, "") ?? [];
    expect(cut.isWellFormed()).toBe(true);
    expect(
      campaignIn(`/?utm_source=${"x".repeat(9000)}`, `https://a.example/?utm_term=${"y".repeat(9000)}`),
    ).toHaveLength(1001);
  });
});
