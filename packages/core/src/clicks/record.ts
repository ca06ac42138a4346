import type { Deps } from "../deps.ts";

/** One followed link. */
export interface Click {
  link_id: string;
}

export interface Clicks {
  /** Counts a click; once this resolves, it is counted for good. A link that is gone meanwhile counts nothing. */
  record(click: Click): Promise<void>;
}

export function createClicks({ pool }: Deps): Clicks {
  return {
    async record({ link_id }) {
      await pool.query({
        name: "count-click",
        text: "update links set click_count = click_count + 1 where id = $1",
        values: [link_id],
      });
    },
  };
}
