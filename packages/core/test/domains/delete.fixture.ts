import { fixture } from "../fixture.ts";
import { linkOnShared } from "../helpers.ts";

export default fixture("domains.delete", {
  access: "account",
  uses: ["domain"],
  input: ({ domain }) => ({ id: domain }),
  refusals: {
    409: [
      {
        async fields({ core, own, another }) {
          await linkOnShared(core, own.domain.id, await another());
          return {};
        },
        error:
          /^other workspaces may use [\w-]+\.example\.com, and have 1 link there, which would stop working/,
      },
    ],
  },
});
