import type { Core } from "@terse/core";
import { commandOf, type Settings, UserError } from "@terse/server";
import { Command, InvalidArgumentError } from "commander";
import about from "../package.json" with { type: "json" };
import { readConfig } from "../../apps/standalone/src/config.ts";
import { makeLoginUrl } from "../../apps/standalone/src/login-link.ts";
import { runAdmin } from "../../apps/standalone/src/run-admin.ts";
import { createProgress } from "./progress.ts";
import { demoPassword, seedAccount, type SeedOptions, type SeedSummary } from "./seed-account.ts";

/** `npm --prefix lab run seed`: creates a demo account with links, buckets, a custom domain, API keys and a history of clicks. */

const help = `
Works beside a running service and without one, with the same settings, such as DATABASE_URL and DATA_DIR. The same options
give the same account again, except ids, keys and times, which are relative to now.

Nothing is ever added to an existing account: an address that has one is refused. To sign in to the new account:
${commandOf("admin")} login-link --email demo@terse.local

The custom domain is made up, and stays pending.

Exit code 0: the account is complete. Exit code 1: it is not, or was not created; the message says why.`;

const whole = (min: number, max: number) => (text: string) => {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number >= min && number <= max) return number;
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
};

await new Command("npm --prefix lab run seed --")
  .description(
    "Creates an account with links and a history of clicks, for demos, screenshots and development.",
  )
  .version(about.version)
  .option("--email <email>", "e-mail address of the new account", "demo@terse.local")
  .option("--links <number>", "links to create", whole(1, 5000), 500)
  .option(
    "--clicks <number>",
    "clicks by people on the links; bots and buckets add 11 %",
    whole(0, 5_000_000),
    200_000,
  )
  .option("--days <number>", "days of history, up to now", whole(1, 1000), 365)
  .option("--seed <number>", "another number gives other links and visits", whole(0, 999_999_999), 1)
  .option("--json", "print one JSON object")
  .addHelpText("after", help)
  .action(async ({ json, ...options }: SeedOptions & { json?: true }) => {
    const settings = readConfig();
    let now = Date.now();
    await runAdmin(
      async (core, interrupt) => {
        const summary = await seedAccount(options, {
          core,
          setClock: (time) => (now = time),
          shortHost: new URL(settings.SHORT_BASE).host,
          progress: createProgress(),
          interrupt,
        });
        // Valid from now on, not from the start of the command.
        now = Date.now();
        return { ...summary, sign_in: await signIn(core, settings, summary.email) };
      },
      {
        // Rate limits are for clients; without Redis, those of a running service are not used up.
        core: {
          clock: () => new Date(now),
          rateLimits: { enterprise: 1e9 },
          redisUrl: undefined,
        },
        ...(!json && { print: describe }),
      },
    );
  })
  .parseAsync();

/** A link that signs the account in once; the command that makes one where links do not work with these settings. */
async function signIn(core: Core, settings: Settings, email: string): Promise<string> {
  const account = await core.accounts.byEmail(email, { unverified: true });
  const link = await makeLoginUrl(core, settings, account).catch((error: unknown) => {
    if (error instanceof UserError) return null;
    throw error;
  });
  return link?.url ?? `${commandOf("admin")} login-link --email ${email}`;
}

function describe(summary: SeedSummary & { sign_in: string }): string {
  const { email, sign_in, links, buckets, domain, keys, key, clicks, bots, from, to, seconds } = summary;
  const count = (number: number) => number.toLocaleString("en");
  return `
  ${email} (${summary.plan}): ${count(links)} links, ${buckets} buckets, ${keys} API keys,
  the domain ${domain.domain} (${domain.status})
  ${count(clicks)} clicks and ${count(bots)} visits by bots from ${from.slice(0, 10)} to ${to.slice(0, 10)}, in ${seconds} seconds

  API key, shown only now      ${key}
  Password of protected links  ${demoPassword}
  Sign-in link                 ${sign_in}
`;
}
