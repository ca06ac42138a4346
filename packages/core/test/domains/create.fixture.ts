import { randomUUID } from "node:crypto";
import { challengeOf, prove } from "@terse/testkit/dns";
import { fixture } from "../fixture.ts";

export default fixture("domains.create", {
  access: "pro",
  input: () => ({ domain: "go.example.com" }),
  refusals: {
    400: [
      {
        fields: { domain: "https://go.example.com/" },
        error: "domain: must be a host name alone, without https://",
      },
    ],
    409: [
      {
        async fields({ another, dns }) {
          const { domains } = await another();
          const {
            id,
            domain,
            dns: records,
          } = await domains.create({ domain: `${randomUUID()}.example.com` });
          prove(dns, domain, challengeOf({ dns: records }));
          await domains.verify({ id });
          return { domain };
        },
        error: /^domain: another account has verified [\w-]+\.example\.com: delete it there first/,
      },
    ],
  },
});
