import { fixture } from "../../fixture.ts";

export default fixture("users.updateConsents", {
  access: "account",
  input: () => ({ marketing: true }),
  refusals: {
    400: [{ fields: { marketing: "yes" }, error: "marketing: expected boolean, received string" }],
  },
});
