import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createCore } from "../../../src/index.ts";
import { toFailure } from "../../../src/rpc/failure.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, unknownId, url } from "../../helpers.ts";
import { countsOf, exactly } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor());

describe("a core without a click log", () => {
  it("counts 1,000 clicks at once on ten links exactly, in every table", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await links.create({ url })).id));
    await Promise.all(
      Array.from({ length: 1000 }, (_, at) =>
        core.clicks.record(clickOn(ids[at % 10] ?? "", { address: `10.0.0.${at % 7}` })),
      ),
    );
    for (const id of ids) expect(await countsOf(core, id)).toEqual(exactly(100));
  });

  it("counts clicks that arrive together in a few transactions, and rejects only the one whose link_id is no UUID", async () => {
    const { id } = await links.create({ url });
    const { pool } = depsOf(core);
    let connections = 0;
    const onAcquire = () => {
      connections += 1;
    };
    pool.on("acquire", onAcquire);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 500 }, (_, at) => core.clicks.record(clickOn(at === 250 ? "nothing" : id))),
    );
    pool.off("acquire", onAcquire);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(await countsOf(core, id)).toEqual(exactly(499));
    expect(connections).toBeLessThan(50);
  });

  it("has nothing to drain and no statistics of a log", async () => {
    expect(await core.clicks.drain()).toBe(0);
    expect(core.clicks.stats()).toBeNull();
    core.clicks.startDrain();
  });

  it("rejects with 503 while the database is unreachable", async () => {
    const away = await createCore({
      databaseUrl: "postgresql://terse@%2Fnowhere:5432/terse",
      shortBase: "http://short.test",
    });
    onTestFinished(() => away.close());
    const error = await away.clicks.record(clickOn(unknownId)).catch((reason: unknown) => reason);
    expect(toFailure(error)).toMatchObject({ status: 503, retryAfter: 2 });
  });

  it("calls back and reports an error if a click is appended while the database is unreachable", async () => {
    const events: unknown[] = [];
    const away = await createCore({
      databaseUrl: "postgresql://terse@%2Fnowhere:5432/terse",
      shortBase: "http://short.test",
      onEvent: (event) => events.push(event),
    });
    onTestFinished(() => away.close());
    await new Promise<void>((done) => away.clicks.append(clickOn(unknownId), done));
    expect(events).toEqual([expect.objectContaining({ code: "click_lost", level: "error" })]);
  });
});
