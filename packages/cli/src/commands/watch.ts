import { setTimeout as wait } from "node:timers/promises";
import {
  type AnalyticsLiveInput,
  type Click,
  type Client,
  ConnectionError,
  eventsOf,
  RateLimitError,
  ServerError,
  type ServerEvent,
} from "@terse/client";
import { countOf } from "@terse/core/browser";
import { filterOptions, filtersOf } from "../clicks.ts";
import type { Command } from "../command.ts";
import { idOf } from "../link.ts";
import { cut, safe, type Terminal } from "../terminal.ts";

/** The service sends something every 15 seconds; after this many milliseconds of silence, the connection is dead. */
const longestSilence = 45_000;

/** Milliseconds before it connects again. */
const pause = 1000;

export const watch: Command = {
  name: "watch",
  args: "[LINK]",
  summary: "Show clicks as they happen",
  details:
    "Ends with Ctrl-C. With --json, each click is one line. If the connection is lost, it reconnects and shows what it missed, up to 15 minutes. Needs the Pro plan.",
  options: {
    count: { value: "NUMBER", help: "End after this many clicks", short: "n" },
    ...filterOptions,
  },
  async run(call) {
    const { args, client, terminal, count } = call;
    const [name] = args;
    const filter = { ...filtersOf(call), ...(name !== undefined && { link_id: [await idOf(call, name)] }) };
    let left = count("count") ?? Number.POSITIVE_INFINITY;
    for await (const { event, data } of clicksOf(client, filter, terminal)) {
      if (event === "skipped") terminal.note(skippedLine(data as { clicks: number | null }));
      if (event !== "click") continue;
      show(terminal, data as Click);
      left -= 1;
      if (left === 0) return;
    }
  },
};

/** The events of the live stream; when it ends or is cut off, it continues after the last one. */
async function* clicksOf(
  client: Client,
  filter: AnalyticsLiveInput,
  terminal: Terminal,
): AsyncGenerator<ServerEvent, never> {
  let last: string | undefined;
  for (;;) {
    const silence = new AbortController();
    const alarm = setTimeout(() => silence.abort(), longestSilence);
    try {
      const answer = client.analytics.live({ ...filter, last_event_id: last }, { signal: silence.signal });
      const isFirst = last === undefined;
      const onId = (id: string) => {
        last = id;
        alarm.refresh();
      };
      for await (const event of eventsOf(answer, onId)) {
        if (event.event === "ready") terminal.note(isFirst ? "Waiting for clicks …" : "Reconnected");
        yield event;
      }
    } catch (error) {
      if (last === undefined || !(silence.signal.aborted || passes(error))) throw error;
    } finally {
      clearTimeout(alarm);
    }
    terminal.note("Connection lost; reconnecting …");
    await wait(pause);
  }
}

const passes = (error: unknown) =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;

const skippedLine = ({ clicks }: { clicks: number | null }) =>
  `${clicks === null ? "Some clicks" : countOf(clicks, "click")} not shown, because there were too many or they are too old`;

function show(terminal: Terminal, click: Click): void {
  if (terminal.isJson) return terminal.print(JSON.stringify(click));
  const { timestamp, shortUrl, country, device, browser, os, referrer } = click;
  const cells = [timestamp.slice(11, 19), country, device, browser, os, shortUrl, referrer].map(safe);
  if (!terminal.isTerminal) return terminal.draw(cells.join("\t"));
  const row = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  terminal.draw(cut(row.trimEnd(), terminal.width));
}

/** Of time, country, device, browser and system; what follows is not in columns. */
const widths = [8, 7, 7, 16, 12];
