import { fixture } from "../../fixture.ts";
import { ownerOf } from "../../helpers.ts";

export default fixture("members.remove", {
  access: "account",
  uses: ["member"],
  input: ({ member }) => ({ user_id: member }),
  refusals: {
    400: [{ fields: { user: 1 }, error: /^user: no such field/ }],
    409: [
      {
        fields: async ({ core, own: { member } }) => ({ user_id: await ownerOf(core, member.id) }),
        error: "A workspace always has an owner: transfer the ownership first",
      },
    ],
  },
});
