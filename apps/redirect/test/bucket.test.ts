import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bucketPage, languages } from "@terse/server";
import { png } from "@terse/testkit/png";
import { createTestApp, type TestApp } from "./app.ts";
import { ask } from "./raw.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Looks that a bucket may have, unset */
const plain = { description: null, accent_color: null, avatar: null };

const links = [
  { title: "Shop", url: "https://www.shop.example/x?y=1" },
  { title: "Blog & more", url: "https://xn--mller-kva.example:8443/" },
];

describe("a bucket's page", () => {
  it("shows its name and its links, each with its own path", async () => {
    const { slug } = await app.bucket({ name: "Ada Lovelace", links });
    const answer = await app.get(`/${slug}`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain("<title>Ada Lovelace</title>");
    expect(page).toContain('<h1 dir="auto">Ada Lovelace</h1>');
    expect(page.replaceAll(/<svg.*?<\/svg>/g, "").match(/<a [^>]*>[^<]*/g)).toEqual([
      `<a href="/${slug}/1" rel="nofollow" dir="auto">Shop `,
      `<a href="/${slug}/2" rel="nofollow" dir="auto">Blog &amp; more `,
    ]);
    expect(page.match(/<bdi>[^<]*/g)).toEqual(["<bdi>shop.example", "<bdi>müller.example:8443"]);
  });

  it("has metadata for previews and search engines, and may be indexed", async () => {
    const slug = `köln-${randomUUID()}`;
    await app.bucket({ name: 'Ada "A" <Lovelace>', slug, links });
    const answer = await app.get(`/${encodeURIComponent(slug)}`);
    const page = await answer.text();
    const tag = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(page)?.[1];
    const url = `http://short.test/${encodeURIComponent(slug)}`;
    expect(tag("og:title")).toBe("Ada &quot;A&quot; &lt;Lovelace&gt;");
    expect(tag("twitter:title")).toBe(tag("og:title"));
    expect([tag("og:type"), tag("og:url"), tag("twitter:card")]).toEqual(["website", url, "summary"]);
    for (const name of ["description", "og:description", "twitter:description"]) {
      expect(tag(name)).toBe("Shop · Blog &amp; more");
    }
    expect(page).toContain(`<link rel="canonical" href="${url}">`);
    expect([tag("robots"), answer.headers.get("x-robots-tag")]).toEqual([undefined, null]);
  });

  it("does not redirect, runs no script, and shows only the hosts of its destinations", async () => {
    const { slug } = await app.bucket({ links });
    const answer = await app.get(`/${slug}`);
    const page = await answer.text();
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src ('sha256-[^']+' ?)+; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'$/,
    );
    expect(page).not.toMatch(
      /<script|<img|<iframe|src=|@import|url\(| style="| on\w+="|y=1|https:\/\/(www\.)?shop/,
    );
  });

  it("escapes everything its owner wrote", async () => {
    const evil = `</title></style><script>alert(1)</script>"'&<`;
    const { slug } = await app.bucket({ name: evil, links: [{ title: evil, url: "https://example.com/" }] });
    const page = await (await app.get(`/${slug}`)).text();
    expect(page).not.toContain("<script>");
    expect(page.match(/<\/(title|style)>/g)).toEqual(["</title>", "</style>", "</style>"]);
  });

  it.each([
    ["ten links with the longest titles in any script", "株", 15_000],
    ["only characters that must be escaped", '"', 20_000],
  ])("is small with %s", async (_, character, maxBytes) => {
    const text = character.repeat(100);
    const longestLinks = Array.from({ length: 10 }, (__, at) => ({
      title: text,
      url: `http://short.test/${"x".repeat(64)}/${at + 1}`,
      destination: `https://${"a-long-label.".repeat(6)}example/`,
    }));
    const { body, headers } = await bucketPage(
      randomUUID(),
      {
        ...plain,
        name: text,
        url: "http://short.test/x",
        links: longestLinks,
      },
      languages.en,
    );
    expect(Buffer.byteLength(body ?? "")).toBeLessThan(maxBytes);
    expect(headers["Content-Length"]).toBe(String(Buffer.byteLength(body ?? "")));
  });

  it("has the monogram of its name, in any script", async () => {
    const monogram = async (name: string) => {
      const { body } = await bucketPage(
        randomUUID(),
        {
          ...plain,
          name,
          url: "http://short.test/x",
          links: [],
        },
        languages.en,
      );
      return /aria-hidden="true">([^<]*)<\/p>/.exec(body ?? "")?.[1];
    };
    const names = ["ada", "«Ölmühle»", "מיכל", "株式会社", "👩‍🚀 Eva", "🏳️‍🌈", "é", "7 things", "…"];
    expect(await Promise.all(names.map(monogram))).toEqual([
      "A",
      "Ö",
      "מ",
      "株",
      "👩‍🚀",
      "🏳️‍🌈",
      "É",
      "7",
      "…",
    ]);
  });

  it("has a short description of whole characters", async () => {
    const title = "👩‍👩‍👧‍👦".repeat(9);
    const page = {
      ...plain,
      name: "n",
      url: "http://short.test/x",
      links: [1, 2].map(() => ({ title, url: "http://short.test/x/1", destination: "https://x.example/" })),
    };
    const { body } = await bucketPage(randomUUID(), page, languages.en);
    const description = /name="description" content="([^"]*)"/.exec(body ?? "")?.[1] ?? "";
    expect(description.length).toBeLessThanOrEqual(160);
    expect(description).toMatch(/^(👩‍👩‍👧‍👦)+ · (👩‍👩‍👧‍👦)*…$/u);
  });

  it("answers HEAD like GET, and rejects other methods", async () => {
    const { slug, stats } = await app.bucket();
    const [get, head] = [await app.get(`/${slug}`), await app.get(`/${slug}`, { method: "HEAD" })];
    const headersOf = (answer: Response) => [...answer.headers].filter(([name]) => name !== "x-request-id");
    expect([head.status, headersOf(head), await head.text()]).toEqual([200, headersOf(get), ""]);
    for (const path of [`/${slug}`, `/${slug}/1`]) {
      for (const method of ["POST", "PUT", "DELETE"]) {
        const answer = await app.get(path, { method });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      }
    }
    expect((await stats()).views).toBe(1);
  });

  it("exists only on the service's own host", async () => {
    const { slug } = await app.bucket();
    for (const path of [`/${slug}`, `/${slug}/1`]) {
      expect((await app.get(path, { headers: { host: "other.test" } })).status).toBe(404);
    }
  });
});

describe("a bucket's looks", () => {
  const square = png(8, 8);
  const looks = {
    name: "Ada",
    description: "Mathematician",
    accent_color: "#ffd400",
    links: [
      { title: "Code", url: "https://gist.github.com/ada" },
      { title: "Write", url: "mailto:ada@example.com?subject=Hello%20Ada" },
      { title: "Shop", url: "https://notgithub.com/" },
    ],
  };

  it("are its image, its line, its colour, and symbols of what its links are", async () => {
    const { id, slug, setAvatar } = await app.bucket(looks);
    const url = await setAvatar(square);
    const answer = await app.get(`/${slug}`);
    const page = await answer.text();
    expect(page).toContain(`<img class="face" src="${new URL(url).pathname}" alt="" width="88" height="88">`);
    for (const name of ["og:image", "twitter:image"]) expect(page).toContain(`"${name}" content="${url}"`);
    for (const name of ["description", "og:description"])
      expect(page).toContain(`"${name}" content="Mathematician"`);
    expect(page).toContain('<p dir="auto">Mathematician</p>');
    expect(page).toContain("--from:#ffd400;--to:#ffd400;--on:#000000;");
    const shown = [
      ...page.matchAll(/<li><a href="([^"]*)"[^>]*><svg[^>]*><(\w+) (\w+)="([^"]*)".*?<bdi>([^<]*)/g),
    ];
    expect(shown.map(([, href, , attribute, value, place]) => [href, attribute, value, place])).toEqual([
      [`/${slug}/1`, "fill", "currentColor", "gist.github.com"],
      ["mailto:ada@example.com?subject=Hello%20Ada", "id", "mailto", "ada@example.com"],
      [`/${slug}/3`, "id", "web", "notgithub.com"],
    ]);
    // Every style is allowed by its hash, also that of a colour.
    expect(answer.headers.get("content-security-policy")?.match(/'sha256-/g)).toHaveLength(2);
    expect((await app.get(`/${slug}/2`)).status).toBe(404);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("have an image that never changes under its name, runs nothing, and exists under its page only", async () => {
    const { slug, setAvatar, stats } = await app.bucket(looks);
    const { pathname } = new URL(await setAvatar(square));
    const answer = await app.get(pathname);
    const { headers } = answer;
    expect([answer.status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      200,
      "image/webp",
      "nosniff",
    ]);
    expect(headers.get("cache-control")).toBe("public, max-age=86400, immutable");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(8, 12)
        .toString(),
    ).toBe("WEBP");
    expect((await app.get(pathname, { method: "HEAD" })).headers.get("content-type")).toBe("image/webp");
    const other = await app.bucket();
    for (const path of [
      pathname.replace(slug, other.slug),
      pathname.replace(slug, "unknown"),
      pathname.replace(/[^/]{3}\.webp$/, "xxx.webp"),
      pathname.replace(slug, "%E0%A4%A"),
    ])
      expect([path, (await app.get(path)).status]).toEqual([path, 404]);
    expect((await app.get(pathname, { headers: { host: "other.test" } })).status).toBe(404);
    expect((await stats()).views).toBe(0);
  });
});

describe("a link of a bucket", () => {
  it("redirects to its destination, and is not indexed", async () => {
    const { slug } = await app.bucket({ links });
    for (const [at, { url }] of links.entries()) {
      const answer = await app.get(`/${slug}/${at + 1}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, url]);
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("does not exist at any other path, but for one slash at the end", async () => {
    const { slug: slashed } = await app.bucket();
    expect((await app.get(`/${slashed}/1/`)).status).toBe(302);
    const { slug } = await app.bucket();
    const { slug: redirecting } = await app.link();
    const wrong = [
      "//",
      "/0",
      "/2",
      "/01",
      "/+1",
      "/1//",
      "/1/1",
      "/x",
      "%2F1",
      "%2f1",
      "//1",
      "/1.0",
      "/9999999999",
    ];
    for (const path of wrong.map((rest) => `/${slug}${rest}`).concat(`/${redirecting}/1`)) {
      const answer = await app.get(path);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 404, null]);
      expect(await answer.text()).toContain("Link not found");
    }
  });
});

describe("counting", () => {
  it("counts a person's visit of the page as a view, and a followed link as a click", async () => {
    const { slug, stats } = await app.bucket({ links });
    for (const path of ["", "", "", "/1", "/2", "/2"]) await app.get(`/${slug}${path}`);
    expect(await stats()).toEqual({
      views: 3,
      clicks: 3,
      links: [
        { ...links[0], clicks: 1 },
        { ...links[1], clicks: 2 },
      ],
    });
  });

  it("excludes crawlers, previews, prefetches and HEAD", async () => {
    const { slug, stats } = await app.bucket();
    for (const path of [`/${slug}`, `/${slug}/1`]) {
      await app.get(path, { headers: { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" } });
      await app.get(path, { headers: { "user-agent": "Slackbot-LinkExpanding 1.0" } });
      await app.get(path, { headers: { "sec-purpose": "prefetch" } });
      await app.get(path, { method: "HEAD" });
    }
    expect(await stats()).toMatchObject({ views: 0, clicks: 0 });
  });
});

describe("over a socket", () => {
  it("views and clicks are counted, by the app and on the hot path", async () => {
    const { slug, stats } = await app.bucket({ links });
    const { port } = await app.serve();
    for (const path of [`/${slug}/2`, `/${slug}/2?x=1`, `/${slug}/2`]) {
      const answer = await ask(port, path);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, links[1]?.url]);
    }
    for (const path of [`/${slug}`, `/${slug}?x=1`]) expect((await ask(port, path)).status).toBe(200);
    expect(await stats()).toMatchObject({ views: 2, clicks: 3 });
  });
});
