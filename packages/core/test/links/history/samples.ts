import type { AppRouter } from "../../../src/index.ts";
import type { inferRouterInputs } from "@trpc/server";

type Update = Omit<inferRouterInputs<AppRouter>["links"]["update"], "id" | "destination" | "created_by">;

/**
 * A value of every field of an update, other than that of a new link. A new field belongs here, or this does not compile;
 * `created_by` is in links/makers.test.ts.
 */
export const updateSamples = {
  url: "https://changed.example/",
  slug: `changed-${Date.now()}`,
  title: "Changed",
  notes: "Changed",
  qr: { color: "#036", dots: "rounded" },
  tags: ["Changed"],
  is_active: 0,
  expires_at: "2999-01-01T00:00:00Z",
  password: "swordfish",
  geo_rules: [{ country: "DE", url: "https://changed.example/de" }],
  ab_test: {
    variants: [
      { url: "https://changed.example/a", weight: 1 },
      { url: "https://changed.example/b", weight: 1 },
    ],
  },
  rules: [{ when: { country: ["DE"] }, url: "https://changed.example/rule" }],
  preview: { title: "Changed" },
  redirect_status: 307,
  forward_query: "keep",
  forward_path: true,
  starts_at: "2998-01-01T00:00:00Z",
  click_limit: 7,
  fallback_url: "https://changed.example/fallback",
} as const satisfies { [Field in keyof Required<Update>]: unknown };
