import { describe, expect, it } from "vitest";
import { itemSlug, matchItems, numberOf } from "../../../src/links/buckets/items.ts";

const item = (title: string, url: string) => ({ title, url });
const shop = item("Shop", "https://shop.example/");
const blog = item("Blog", "https://blog.example/");

describe("matching a list of items with the previous one", () => {
  it("finds items that moved", () => {
    expect(matchItems([shop, blog], [blog, shop])).toEqual([1, 0]);
  });

  it("matches an item whose title or URL changed", () => {
    const renamed = item("My shop", shop.url);
    const moved = item("Blog", "https://new.example/");
    expect(matchItems([shop, blog], [moved, renamed])).toEqual([1, 0]);
  });

  it("treats an item whose title and URL changed as new", () => {
    expect(matchItems([shop], [item("Other", "https://other.example/"), shop])).toEqual([null, 0]);
  });

  it("prefers unchanged items to changed ones, in any position", () => {
    const copy = item("Sale", shop.url);
    expect(matchItems([shop], [copy, shop])).toEqual([null, 0]);
    expect(matchItems([shop, copy], [copy, item("Third", shop.url), shop])).toEqual([1, null, 0]);
  });

  it("prefers the same URL to the same title", () => {
    const swapped = [item("Shop", blog.url), item("Blog", shop.url)];
    expect(matchItems([shop, blog], swapped)).toEqual([1, 0]);
  });

  it("matches each of several equal items once", () => {
    expect(matchItems([shop, shop], [shop, shop, shop])).toEqual([0, 1, null]);
    expect(matchItems([], [shop])).toEqual([null]);
  });
});

it("an item's number is read from its path, also after a slug with digits", () => {
  expect(numberOf(itemSlug("2026-10", 12))).toBe(12);
});
