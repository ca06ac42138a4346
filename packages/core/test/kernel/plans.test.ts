import { describe, expect, it } from "vitest";
import { createPlanTable, features, planNames, planWith } from "../../src/index.ts";
import { requireFeature } from "../../src/kernel/plans.ts";

const table = createPlanTable();
const featuresOf = (plan: (typeof planNames)[number], of = table) =>
  features.filter((feature) => of[plan].features[feature]);

describe("the table of plans", () => {
  it("gives Free no extra feature, Pro all but keys, Enterprise everything", () => {
    expect(featuresOf("free")).toEqual([]);
    expect(featuresOf("pro")).toEqual(features.filter((feature) => feature !== "api_keys"));
    expect(featuresOf("enterprise")).toEqual([...features]);
  });

  it("gives a larger plan all features of a smaller one", () => {
    for (const apiKeysPlan of ["pro", "enterprise"] as const) {
      const plans = createPlanTable({ apiKeysPlan });
      for (const [at, plan] of planNames.entries()) {
        for (const smaller of planNames.slice(0, at)) {
          expect(featuresOf(plan, plans)).toEqual(expect.arrayContaining(featuresOf(smaller, plans)));
          expect(plans[plan].limits.link_creations_per_minute).toBeGreaterThan(
            plans[smaller].limits.link_creations_per_minute,
          );
        }
      }
    }
  });

  it("has the limits of the specification", () => {
    expect(table.pro.limits).toMatchObject({ custom_domains: 1 });
    expect(table.enterprise.limits).toMatchObject({ custom_domains: 1 });
    expect(table.free.limits.custom_domains).toBe(0);
  });

  it("limits creations to 10, 60, 600 and 6,000 a minute, unless told otherwise", () => {
    const limits = ({ anonymous_creations_per_minute: anonymous, ...plans } = table) => [
      anonymous,
      ...planNames.map((plan) => plans[plan].limits.link_creations_per_minute),
    ];
    expect(limits()).toEqual([10, 60, 600, 6000]);
    expect(limits(createPlanTable({ rateLimits: { anonymous: 1, enterprise: 4 } }))).toEqual([1, 60, 600, 4]);
    expect(limits(createPlanTable({ rateLimits: { anonymous: 0, free: 0 } }))).toEqual([0, 0, 600, 6000]);
  });

  it("moves API keys to Pro by one option", () => {
    expect(planWith(table, "api_keys")).toBe("enterprise");
    expect(planWith(createPlanTable({ apiKeysPlan: "pro" }), "api_keys")).toBe("pro");
  });
});

describe("a plan that is too small", () => {
  it("is refused with the plan that is needed", () => {
    expect(() => requireFeature(table, "free", "export")).toThrow("Pro plan required");
    expect(() => requireFeature(table, null, "link_options")).toThrow("Pro plan required");
    expect(() => requireFeature(table, "pro", "api_keys")).toThrow("Enterprise plan required");
    expect(() => requireFeature(createPlanTable({ apiKeysPlan: "pro" }), "free", "api_keys")).toThrow(
      "Pro plan required",
    );
  });

  it("is not refused if it includes the feature", () => {
    for (const feature of features) expect(() => requireFeature(table, "enterprise", feature)).not.toThrow();
  });
});
