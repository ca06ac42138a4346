import { fixture } from "../fixture.ts";

export default fixture("analytics.realtime", {
  access: "pro",
  input: () => ({ referrer: "(direct)", browser: ["Firefox", "Safari"] }),
  refusals: {
    400: [
      {
        fields: { device: "fridge" },
        error: "device: must be one of desktop, mobile, tablet, tv, console, other and unknown",
      },
    ],
  },
});
