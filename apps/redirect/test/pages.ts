import { AppError, type BucketPage } from "@terse/core";
import { previewPage } from "../src/pages/preview.ts";
import { answerTo, badForm, failed, methodNotAllowed, tooManyAttempts } from "../src/answer.ts";

/** All pages except buckets, by name. */
export const messages = {
  "not found": await answerTo({ kind: "not_found" }),
  inactive: await answerTo({ kind: "gone", reason: "inactive" }),
  blocked: await answerTo({ kind: "gone", reason: "blocked" }),
  disabled: await answerTo({ kind: "gone", reason: "disabled" }),
  expired: await answerTo({ kind: "gone", reason: "expired" }),
  password: await answerTo({ kind: "password", link_id: "id", wrong: false }),
  "wrong password": await answerTo({ kind: "password", link_id: "id", wrong: true }),
  "wrong method": await methodNotAllowed("GET, HEAD"),
  "too many attempts": await tooManyAttempts({
    policy: "guesses",
    limit: 10,
    remaining: 0,
    window: 600,
    reset: 61,
  }),
  "form too large": await badForm(413),
  "not a form": await badForm(415),
  failed: await failed(new Error("inside")),
  unavailable: await failed(new AppError("SERVICE_UNAVAILABLE", "inside", { retryAfter: 2 })),
};

const looks = { description: null, accent_color: null, avatar: null };

const bucket = (hue: number, name: string, titles: readonly string[]) => {
  const url = "http://short.test/page";
  const destination = "https://a-rather-long-host-name.department.university.example/";
  const links = titles.map((title, at) => ({ title, url: `${url}/${at + 1}`, destination }));
  const page: BucketPage = { ...looks, name, url, links };
  return answerTo({ kind: "bucket", link_id: `0190aaaa-bbbb-7ccc-8ddd-eeeeeeee000${hue}`, page });
};

const long =
  "A title that somebody wrote without knowing when to stop, which is something people do at times";

/** Bucket pages with unusual content; together they use all six hues. */
export const buckets = {
  "ten links": await bucket(0, "Ada Lovelace", [
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
  "one link": await bucket(1, "🌿", ["Shop"]),
  "long names": await bucket(2, long, [long, "x".repeat(100)]),
  "an endless word": await bucket(3, "Donaudampfschifffahrt".repeat(4), [
    "m".repeat(100),
    "👩‍👩‍👧‍👦".repeat(9),
  ]),
  "right-to-left names": await bucket(4, "מיכל כהן", ["הבלוג שלי", "متجر", "English in between"]),
  "another script": await bucket(5, "株式会社山田デザイン", ["オンラインショップ", "お問い合わせ"]),
};

const facts = { path: "/abc", contact: "mailto:abuse@example.com" };
const link_id = "id";
const created_at = new Date("2026-03-01T12:00:00Z");
const destination = `https://a-rather-long-host-name.department.university.example/${"segment/".repeat(60)}`;

/** Previews of links. */
export const previews = {
  "preview of a link": await previewPage(
    { kind: "link", link_id, created_at, title: long, destination, others: Array(12).fill(destination) },
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
    facts,
  ),
  "preview of a protected link": await previewPage({ kind: "protected", link_id, created_at }, facts),
  "report without a reason": await previewPage(
    { kind: "link", link_id, created_at, title: null, destination: "https://example.com/", others: [] },
    { ...facts, problem: "Please choose what is wrong with the link." },
  ),
};
