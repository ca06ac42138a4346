import { afterAll, describe, expect, it } from "vitest";
import { errorOf, startApp } from "./client.ts";

const app = await startApp();
const { key } = await app.key("pro");

describe("a bad analytics parameter", () => {
  it("is a name that no filter has", async () => {
    for (const path of ["overview", "realtime", "export"]) {
      const answer = await app.ask("GET", `/v1/analytics/${path}?country=DE&county=DE`, { key });
      expect([answer.status, errorOf(answer)]).toEqual([
        400,
        expect.stringMatching(
          /^county: no such field; the known ones are .*country, continent, region, city, device/,
        ),
      ]);
    }
  });

  it.each(["period=7d&period=7d", "tz=UTC&tz=UTC", "compare=true&compare=false"])(
    "is one that is given twice: %s",
    async (query) => {
      const answer = await app.ask("GET", `/v1/analytics/overview?${query}`, { key });
      expect([answer.status, errorOf(answer)]).toEqual([400, `${query.split("=")[0]}: must be given once`]);
    },
  );
});

describe("an export over HTTP", () => {
  it.each([
    ["csv", "text/csv; charset=utf-8", /^timestamp,link_id,.*\r\n$/],
    ["json", "application/json; charset=utf-8", /^\[\]\n$/],
    ["parquet", "application/vnd.apache.parquet", /^PAR1[^]*PAR1$/],
  ])("is a file with a name: %s", async (format, type, text) => {
    const answer = await app.ask("GET", `/v1/analytics/export?format=${format}&period=7d`, { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename=terse-clicks-7d-${new Date().toISOString().slice(0, 10)}.${format}`,
    );
    expect(answer.text).toMatch(text);
  });

  it("reaches typed clients over tRPC as lines of JSON if they ask for a stream", async () => {
    const { text } = await app.askTrpcStream("analytics.export", { format: "csv" }, { key });
    expect(text).toContain("timestamp,link_id,slug");
  });
});

describe("over a socket", async () => {
  const listener = await app.listen();
  afterAll(() => listener.close(0));

  it("exports that clients abandon hold up no others", async () => {
    const ask = (signal?: AbortSignal) =>
      fetch(`${listener.url}/v1/analytics/export?period=all`, {
        headers: { Authorization: `Bearer ${key}` },
        ...(signal && { signal }),
      });
    for (let times = 0; times < 12; times++) {
      const leaving = new AbortController();
      const answer = await ask(leaving.signal);
      expect(answer.status).toBe(200);
      leaving.abort();
    }
    expect(await (await ask()).text()).toMatch(/^timestamp,/);
  });
});
