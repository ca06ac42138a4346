import { afterAll, describe, expect, it } from "vitest";
import { until } from "@terse/testkit";
import { png, pngBomb } from "@terse/testkit/png";
import { maxImageBytes } from "../../../src/links/images/convert.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection, second } from "../../helpers.ts";
import { visitor, watchingCore } from "../../redirects/helpers.ts";
import { item } from "./helpers.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("pro");
const { buckets } = core.caller(owner);
const make = () => buckets.create({ name: "n", links: [item("a")] });
const small = png(40, 30);
const base64 = (image: Buffer) => image.toString("base64");

/** The image that a core shows on the page of a slug, without the host and slug of its address. */
async function shown(node: typeof core, slug: string) {
  const decision = await node.redirects.resolve("short.test", slug, visitor);
  const avatar = decision.kind === "bucket" ? decision.page.avatar : null;
  return avatar && { name: avatar.url.split("/").at(-1) ?? "", bytes: Buffer.from(avatar.image, "base64") };
}

describe("a bucket's image", () => {
  it("is a square WebP image of at most 40 kB, without anything else that was in the file", async () => {
    const { id, slug } = await make();
    const noise = png(
      256,
      200,
      (x, y) => [x * 7919 + y * 104_729, x * y * 31, x * 3 + y * 17, 255].map((n) => n % 256),
      {
        text: "taken at home",
      },
    );
    const { avatar_url } = await buckets.setAvatar({ id, image: base64(noise) });
    const { name, bytes } = (await shown(core, slug)) ?? expect.fail("no image");
    expect(avatar_url).toBe(`http://short.test/${slug}/${name}`);
    expect(bytes.subarray(8, 12).toString()).toBe("WEBP");
    expect(bytes.length).toBeLessThanOrEqual(40_000);
    // The size in the header of a lossy image (RFC 9649 section 2.5)
    expect([bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]).toEqual([256, 256]);
    expect(bytes.toString("latin1")).not.toContain("taken at home");
  });

  it("has another address once it is another one, reaches other nodes within a second, and can be removed", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await make();
    expect(await shown(node, slug)).toBeNull();
    const first = await buckets.setAvatar({ id, image: base64(small) });
    await until(async () => (await shown(node, slug)) !== null, second);
    const again = await buckets.setAvatar({ id, image: base64(small) });
    expect(again.avatar_url).toBe(first.avatar_url);
    const other = await buckets.setAvatar({ id, image: base64(png(4, 4, () => [0, 0, 255, 255])) });
    expect(other.avatar_url).not.toBe(first.avatar_url);
    const [oldName, newName] = [first, other].map(({ avatar_url }) => avatar_url?.split("/").at(-1) ?? "");
    expect(await core.redirects.avatar("short.test", slug, oldName ?? "")).toBeNull();
    expect((await core.redirects.avatar("short.test", slug, newName ?? ""))?.url).toBe(other.avatar_url);
    expect((await buckets.deleteAvatar({ id })).avatar_url).toBeNull();
    await until(async () => (await shown(node, slug)) === null, second);
    expect(await core.redirects.avatar("short.test", slug, newName ?? "")).toBeNull();
  });

  it("is gone while its page is disabled", async () => {
    const { id, slug } = await make();
    const { avatar_url } = await buckets.setAvatar({ id, image: base64(small) });
    const name = avatar_url?.split("/").at(-1) ?? "";
    await core.moderation.disableLink(id, "a test");
    expect(await core.redirects.avatar("short.test", slug, name)).toBeNull();
    expect((await rejection(buckets.setAvatar({ id, image: base64(small) }))).code).toBe("FORBIDDEN");
  });

  it("counts towards what the account stores", async () => {
    const limits = { storedMegabytes: { free: 1, pro: 0.0018, enterprise: 1 } };
    const tight = await createTestCore(limits);
    const theirs = tight.core.caller(await tight.actor("pro")).buckets;
    const { id } = await theirs.create({ name: "n", links: [item("a")] });
    const detailed = png(64, 64, (x, y) => [(x * 97) % 256, (y * 61) % 256, (x * y) % 256, 255]);
    expect((await rejection(theirs.setAvatar({ id, image: base64(detailed) }))).message).toMatch(
      /^The Pro plan includes 0\.002 MB/,
    );
    expect((await theirs.get({ id })).avatar_url).toBeNull();
    await tight.close();
  });
});

describe("an image is refused", () => {
  it.each([
    [
      "that is none",
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "image: must be a PNG, JPEG or WebP image",
    ],
    [
      "with too many pixels, before one is decoded",
      pngBomb(30_000, 30_000),
      "image: must have at most 16 million pixels",
    ],
    [
      "that is cut off",
      small.subarray(0, 60),
      "image: could not be read; the file may be damaged, or an animation",
    ],
    [
      "whose header lies",
      pngBomb(2000, 2000),
      "image: could not be read; the file may be damaged, or an animation",
    ],
    [
      "of another kind than its first bytes say",
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), small]),
      "image: could not be read; the file may be damaged, or an animation",
    ],
    ["that is empty", Buffer.alloc(0), "image: must not be empty"],
    ["that is too large", Buffer.alloc(maxImageBytes + 3), "image: must have at most 2 MB"],
  ])("%s", async (_, image, message) => {
    const { id, slug } = await make();
    expect(await rejection(buckets.setAvatar({ id, image: base64(image) }))).toEqual({
      code: "BAD_REQUEST",
      message,
    });
    expect(await shown(core, slug)).toBeNull();
  });

  it("for another account's bucket, before it is decoded", async () => {
    const { id } = await make();
    const { buckets: theirs } = core.caller(await actor("pro"));
    const refused = { code: "NOT_FOUND", message: "Bucket not found" };
    expect(await rejection(theirs.setAvatar({ id, image: "AAAA" }))).toEqual(refused);
    expect(await rejection(theirs.deleteAvatar({ id }))).toEqual(refused);
    const { rowCount } = await depsOf(core).pool.query("select from bucket_avatars where bucket_id = $1", [
      id,
    ]);
    expect(rowCount).toBe(0);
  });
});
