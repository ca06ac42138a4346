import { AppError, type BucketPage } from "@terse/core";
import type { Words } from "@terse/server";
import { previewPage } from "../src/pages/preview.ts";
import { messagePage, rootPage } from "../src/pages/message.ts";
import { answerTo, badForm, failed, methodNotAllowed, tooManyAttempts } from "../src/answer.ts";

/** All pages except buckets, by name. */
export const messagesIn = async (words: Words) => {
  const reader = { words };
  return {
    "not found": await answerTo({ kind: "not_found" }, reader),
    inactive: await answerTo({ kind: "gone", reason: "inactive" }, reader),
    blocked: await answerTo({ kind: "gone", reason: "blocked" }, reader),
    disabled: await answerTo({ kind: "gone", reason: "disabled" }, reader),
    expired: await answerTo({ kind: "gone", reason: "expired" }, reader),
    "used up": await answerTo({ kind: "gone", reason: "used_up" }, reader),
    password: await answerTo({ kind: "password", link_id: "id", wrong: false }, reader),
    "wrong password": await answerTo({ kind: "password", link_id: "id", wrong: true }, reader),
    "wrong method": await methodNotAllowed(reader, "GET, HEAD"),
    "too many attempts": await tooManyAttempts(reader, {
      policy: "guesses",
      limit: 10,
      remaining: 0,
      window: 600,
      reset: 61,
    }),
    "form too large": await badForm(reader, 413),
    "not a form": await badForm(reader, 415),
    failed: await failed(reader, new Error("inside")),
    unavailable: await failed(reader, new AppError("SERVICE_UNAVAILABLE", "inside", { retryAfter: 2 })),
    root: await rootPage(words),
    "report sent": await messagePage(200, words, words.preview.thanks, { hasSwitch: false }),
    "report not sent": await messagePage(403, words, words.preview.notSent),
  };
};

const looks = { description: null, accent_color: null, avatar: null };

const bucket = (words: Words, hue: number, name: string, titles: readonly string[]) => {
  const url = "http://short.test/page";
  const destination = "https://a-rather-long-host-name.department.university.example/";
  const links = titles.map((title, at) => ({ title, url: `${url}/${at + 1}`, destination }));
  const page: BucketPage = { ...looks, name, url, links };
  const link_id = `0190aaaa-bbbb-7ccc-8ddd-eeeeeeee000${hue}`;
  return answerTo({ kind: "bucket", link_id, page }, { words });
};

const long =
  "A title that somebody wrote without knowing when to stop, which is something people do at times";

/** Bucket pages with unusual content; together they use all six hues. */
export const bucketsIn = async (words: Words) => ({
  "ten links": await bucket(words, 0, "Ada Lovelace", [
    "Book",
    "Letters",
    "Code",
    "Talks",
    "Podcast 🎙️",
    "Photos",
    "Shop",
    "Map",
    "Hello",
    long,
  ]),
  "one link": await bucket(words, 1, "🌿", ["Shop"]),
  "long names": await bucket(words, 2, long, [long, "x".repeat(100)]),
  "an endless word": await bucket(words, 3, "Donaudampfschifffahrt".repeat(4), [
    "m".repeat(100),
    "👩‍👩‍👧‍👦".repeat(9),
  ]),
  "right-to-left names": await bucket(words, 4, "מיכל כהן", ["הבלוג שלי", "متجر", "English in between"]),
  "another script": await bucket(words, 5, "株式会社山田デザイン", ["オンラインショップ", "お問い合わせ"]),
});

const facts = { path: "/abc", contact: "mailto:abuse@example.com" };
const link_id = "id";
const created_at = new Date("2026-03-01T12:00:00Z");
const destination = `https://a-rather-long-host-name.department.university.example/${"segment/".repeat(60)}`;

/** Previews of links. */
export const previewsIn = async (words: Words) => ({
  "preview of a link": await previewPage(
    { kind: "link", link_id, created_at, title: long, destination, others: Array(12).fill(destination) },
    words,
    facts,
  ),
  "preview of a bucket": await previewPage(
    {
      kind: "bucket",
      link_id,
      created_at,
      page: {
        ...looks,
        url: "http://short.test/page",
        name: long,
        links: [{ title: long, url: "http://short.test/page/1", destination }],
      },
    },
    words,
    facts,
  ),
  "preview of a protected link": await previewPage({ kind: "protected", link_id, created_at }, words, facts),
  "report without a reason": await previewPage(
    { kind: "link", link_id, created_at, title: null, destination: "https://example.com/", others: [] },
    words,
    { ...facts, hasNoReason: true },
  ),
});
