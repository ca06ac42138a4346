import { fixture } from "../../fixture.ts";
import { depsOf } from "../../helpers.ts";

export default fixture("changes.undo", {
  access: "account",
  uses: ["link"],
  // A creation has the id of its link.
  input: ({ link }) => ({ id: link }),
  async tooMany(core, account) {
    const { pool, newId } = depsOf(core);
    const id = newId();
    await pool.query(
      `with change as (
         insert into changes (id, account_id, at, action, by_kind) values ($1, $2, now(), 'update', 'system') returning id
       ) insert into link_changes (link_id, change_id, bytes)
       select gen_random_uuid(), id, 200 from change, generate_series(0, 10000)`,
      [id, account.id],
    );
    return { id };
  },
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
