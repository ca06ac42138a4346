import { expect, it } from "vitest";
import { newRequestId } from "../src/request-id.ts";

it("generates unique UUIDs that do not tell how many others were generated", () => {
  const ids = Array.from({ length: 2_000 }, newRequestId);
  expect(new Set(ids).size).toBe(2_000);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  for (const part of [ids.slice(0, 100), ids.slice(1_000)]) {
    expect(part).not.toEqual(part.toSorted());
    expect(part).not.toEqual(part.toSorted().toReversed());
  }
});
