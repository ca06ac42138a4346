import { fixture } from "../../fixtures.ts";
import { depsOf } from "../../helpers.ts";

export default fixture("changes.undo", {
  access: "account",
  uses: ["link"],
  // A creation has the id of its link.
  input: ({ link }) => ({ id: link }),
  refusals: {
    409: [
      {
        async fields({ core, own: { link } }) {
          const text = "update links set title = 'Later', updated_at = now() where id = $1";
          await depsOf(core).pool.query(text, [link.id]);
          return {};
        },
        error:
          /^title: change [\da-f-]+ cannot be undone, because change [\da-f-]+ changed it later; undo that one first$/,
      },
    ],
  },
});
