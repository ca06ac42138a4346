import { fixture } from "../../fixture.ts";
import { depsOf } from "../../helpers.ts";

export default fixture("identities.unlink", {
  access: "account",
  uses: ["identity"],
  input: ({ identity }) => ({ id: identity }),
  refusals: {
    409: [
      {
        fields: async ({ core, own }) => {
          await depsOf(core).pool.query(
            `delete from identities other using identities own
             where own.id = $1 and other.account_id = own.account_id and other.id <> own.id`,
            [own.identity.id],
          );
          return {};
        },
        error:
          "This is the only way to sign in to the account: add a passkey, or sign in with another provider, first",
      },
    ],
  },
});
