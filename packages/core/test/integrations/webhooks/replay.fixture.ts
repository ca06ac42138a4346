import { fixture } from "../../fixture.ts";
import type { Deps } from "../../helpers.ts";

export default fixture("webhooks.replay", {
  access: "pro",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook, from: "2027-01-31T12:00:00Z" }),
  refusals: {
    400: [{ fields: { from: "yesterday" }, error: /^from: must be an ISO 8601 time with a zone/ }],
    409: [
      {
        async fields({ core, own }) {
          const pool = (core.createContext({ kind: "anonymous" }).deps as Deps).pool;
          await pool.query("update webhooks set active = false where id = $1", [own.webhook.id]);
          return {};
        },
        error: "The webhook is switched off: set active to true before the replay",
      },
    ],
  },
});
