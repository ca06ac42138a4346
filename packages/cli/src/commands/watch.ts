import { setTimeout as wait } from "node:timers/promises";
import type { Click } from "@terse/client";
import type { Command } from "../command.ts";
import { idOf } from "../link.ts";
import { safe, type Terminal } from "../terminal.ts";

/** A click is in the live feed within two seconds. */
const pauseMs = 2000;

export const watch: Command = {
  name: "watch",
  args: "[LINK]",
  summary: "Show clicks as they happen",
  details: "Ends with Ctrl-C. With --json, each click is one line. Needs the Pro plan.",
  options: { count: { value: "NUMBER", help: "End after so many clicks", short: "n" } },
  async run(call) {
    const { args, client, terminal, count } = call;
    const [name] = args;
    const filter = name === undefined ? {} : { link_id: [await idOf(call, name)] };
    let left = count("count") ?? Number.POSITIVE_INFINITY;
    // Ids grow with time, so the last one seen separates what is new.
    let last = (await client.analytics.realtime(filter))[0]?.id ?? "";
    terminal.note("Waiting for clicks …");
    while (left > 0) {
      await wait(pauseMs);
      const clicks = (await client.analytics.realtime(filter)).filter(({ id }) => id > last).toReversed();
      for (const click of clicks.slice(0, left)) show(terminal, click);
      left -= clicks.length;
      last = clicks.at(-1)?.id ?? last;
    }
  },
};

function show(terminal: Terminal, click: Click): void {
  if (terminal.isJson) return terminal.print(JSON.stringify(click));
  const { timestamp, shortUrl, country, device, browser, os, referrer } = click;
  const time = terminal.style("dim", timestamp.slice(11, 19));
  terminal.draw(
    `${time}  ${safe(shortUrl)}  ${[country, device, browser, os, referrer].map(safe).join("  ")}`,
  );
}
