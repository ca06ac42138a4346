import { fixture } from "../../fixture.ts";
import { depsOf } from "../../helpers.ts";

export default fixture("passkeys.remove", {
  access: "account",
  uses: ["passkey"],
  input: ({ passkey }) => ({ id: passkey }),
  refusals: {
    409: [
      {
        fields: async ({ core, own }) => {
          await depsOf(core).pool.query(
            `delete from passkeys other using passkeys own
             where own.id = $1 and other.account_id = own.account_id and other.id <> own.id`,
            [own.passkey.id],
          );
          return {};
        },
        error:
          "This is the only way to sign in to the account: add a passkey, or sign in with another provider, first",
      },
    ],
  },
});
