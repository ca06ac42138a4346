import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, unknownId, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor());

describe("clicks", () => {
  it("are counted exactly: 1,000 at once are 1,000", async () => {
    const [link, other] = [await links.create({ url }), await links.create({ url })];
    await Promise.all(Array.from({ length: 1000 }, () => core.clicks.record(clickOn(link.id))));
    expect((await links.get({ id: link.id })).click_count).toBe(1000);
    expect((await links.get({ id: other.id })).click_count).toBe(0);
  });

  it("do not change the link's updated_at", async () => {
    const link = await links.create({ url });
    await core.clicks.record(clickOn(link.id));
    expect(await links.get({ id: link.id })).toEqual({
      ...link,
      click_count: 1,
      last_click_at: expect.any(String),
    });
  });

  it("on a link that does not exist are ignored without an error", async () => {
    await core.clicks.record(clickOn(unknownId));
  });

  it("are not lost by updates of the link at the same time", async () => {
    const { id } = await links.create({ url });
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => [
        core.clicks.record(clickOn(id)),
        ...(at % 10 === 0 ? [links.update({ id, title: `${at}` })] : []),
      ]).flat(),
    );
    expect((await links.get({ id })).click_count).toBe(100);
  });
});
