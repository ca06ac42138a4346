import { fixture } from "../../fixture.ts";
import { ownerOf } from "../../helpers.ts";

export default fixture("members.update", {
  access: "account",
  uses: ["member"],
  input: ({ member }) => ({ user_id: member, role: "editor" }),
  refusals: {
    400: [{ fields: { role: "owner" }, error: /^role: / }],
    409: [
      {
        fields: async ({ core, own: { member } }) => ({ user_id: await ownerOf(core, member.id) }),
        error: "A workspace always has an owner: transfer the ownership first",
      },
    ],
  },
});
