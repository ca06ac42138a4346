import { fixture } from "../../fixture.ts";

export default fixture("sessions.endAll", {
  access: "account",
  refusals: {
    400: [
      {
        fields: { connections: "yes" },
        error: "connections: expected boolean, received string",
      },
      { fields: { keys: "yes" }, error: "keys: expected boolean, received string" },
      { fields: { others: "yes" }, error: "others: expected boolean, received string" },
    ],
  },
});
