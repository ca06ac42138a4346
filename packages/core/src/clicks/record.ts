import type { Deps } from "../deps.ts";
import type { Clicks } from "../types.ts";

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
