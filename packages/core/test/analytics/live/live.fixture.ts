import { fixture } from "../../fixture.ts";

export default fixture("analytics.live", {
  access: "pro",
  input: () => ({ follow: false, last_event_id: "1-1", browser: ["Firefox", "Safari"] }),
  dependentFields: ["follow"],
  refusals: {
    400: [
      {
        fields: { last_event_id: "1-" },
        error: "last_event_id: must be the id of an event of this stream, or of a click",
      },
    ],
  },
});
