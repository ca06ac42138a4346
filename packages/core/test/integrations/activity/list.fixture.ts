import { fixture } from "../../fixture.ts";

export default fixture("audit.list", {
  access: "account",
  input: () => ({ page: 1, limit: 10, action: "signed_in", actor: "user" }),
  refusals: {
    400: [
      { fields: { limit: 0 }, error: "limit: must be a whole number from 1 to 100" },
      {
        fields: { actor: "nobody" },
        error: "actor: must be an id, or one of user, key, visitor, operator, service",
      },
    ],
  },
});
