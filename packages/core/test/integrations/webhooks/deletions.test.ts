import { describe, expect, it } from "vitest";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { startSite } from "../../outbound/site.ts";
import { setUp, toldBy } from "./setup.ts";

const { core, pass, newWebhook } = await setUp();
const { deliverDue } = core.webhooks;

/** Longer than a deletion waits for clicks that are not counted yet */
const wait = 60;

/** Clicks are counted at once here: those after a deletion stand for those that were on their way when it happened. */
async function clicksOn(id: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await core.clicks.record(clickOn(id));
}

describe("the deletion of a link", () => {
  it("is told after the limit that its last clicks reached, after these clicks, and with their number", async () => {
    const site = await startSite();
    const { links } = await newWebhook(
      site.url,
      "link.created",
      "link.clicked",
      "link.limit_reached",
      "link.deleted",
    );
    const { id } = await links.create({ url, click_limit: 3, tags: ["news"] });
    await links.delete({ id });
    await deliverDue();
    await clicksOn(id, 3);
    await deliverDue();
    pass(wait);
    await deliverDue();
    const told = toldBy(site.received);
    expect(told.map(({ type }) => type)).toEqual([
      "link.created",
      "link.limit_reached",
      "link.clicked",
      "link.deleted",
    ]);
    const [, reached, clicked, deleted] = told;
    expect(reached?.data).toMatchObject({ id, click_count: 3, tags: ["news"] });
    expect(clicked?.data.clicks.map(({ link_id }) => link_id)).toEqual([id, id, id]);
    expect(deleted?.data).toMatchObject({
      id,
      click_count: 3,
      last_click_at: expect.any(String),
      tags: ["news"],
    });
  });

  it("is noted for a webhook that only wants limits, which is not told of it", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.limit_reached");
    const { id } = await links.create({ url, click_limit: 2 });
    const other = await links.create({ url, click_limit: 2 });
    await clicksOn(id, 1);
    await links.bulkDelete({ ids: [id, other.id] });
    await clicksOn(id, 1);
    await clicksOn(other.id, 1);
    pass(wait);
    await deliverDue();
    expect(toldBy(site.received).map(({ type, data }) => [type, data.id])).toEqual([
      ["link.limit_reached", id],
    ]);
  });

  it("comes after clicks that other links had meanwhile, and is the last that is told of a link", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.clicked", "link.deleted");
    const { id } = await links.create({ url });
    const other = await links.create({ url });
    await links.delete({ id });
    await clicksOn(id, 2);
    pass(wait);
    await clicksOn(other.id, 1);
    await deliverDue();
    // These were on their way for longer than the deletion waited.
    await clicksOn(id, 1);
    await clicksOn(other.id, 1);
    pass(wait);
    await deliverDue();
    const told = toldBy(site.received).map(({ type, data }) => [
      type,
      data.clicks?.map(({ link_id }) => link_id),
    ]);
    expect(told).toEqual([
      ["link.clicked", [id, id, other.id]],
      ["link.deleted", undefined],
      ["link.clicked", [other.id]],
    ]);
  });

  it("comes before what happens to the link after it was brought back", async () => {
    const site = await startSite();
    const { links, actor } = await newWebhook(site.url, "link.created", "link.updated", "link.deleted");
    const { id } = await links.create({ url });
    await links.delete({ id });
    const { changes } = core.caller(actor);
    const [deletion] = (await changes.list({})).data;
    await changes.undo({ id: deletion?.id ?? "" });
    await links.update({ id, title: "Back" });
    await deliverDue();
    expect(toldBy(site.received).map(({ type }) => type)).toEqual([
      "link.created",
      "link.deleted",
      "link.created",
      "link.updated",
    ]);
  });

  it("waits for a count that is under way", async () => {
    const site = await startSite();
    const { links } = await newWebhook(site.url, "link.deleted");
    const { id } = await links.create({ url });
    await links.delete({ id });
    pass(wait);
    const client = await depsOf(core).pool.connect();
    await client.query("begin");
    await client.query("select from webhook_events where subject ->> 'id' = $1 for update", [id]);
    await deliverDue();
    expect(site.received).toEqual([]);
    await client.query("commit");
    client.release();
    await deliverDue();
    expect(toldBy(site.received).map(({ data }) => data.id)).toEqual([id]);
  });
});
