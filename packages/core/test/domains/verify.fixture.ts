import { challengeOf, prove } from "@terse/testkit/dns";
import { fixture } from "../fixture.ts";

export default fixture("domains.verify", {
  access: "account",
  uses: ["domain"],
  input: ({ domain }) => ({ id: domain }),
  refusals: {
    409: [
      {
        async fields({ another, dns, own }) {
          const { domain } = own.domain;
          const { domains } = await another();
          const first = await domains.create({ domain });
          prove(dns, domain, challengeOf(first), challengeOf(own.domain));
          await domains.verify({ id: first.id });
          return {};
        },
        error: /^domain: another account has verified [\w-]+\.example\.com: delete it there first/,
      },
    ],
  },
});
