import { setTimeout as sleep } from "node:timers/promises";
import { type Account, type Actor, createCore } from "@terse/core";
import { median } from "./compare.ts";
import { openDatabase } from "./database.ts";
import { startHttpService } from "./service.ts";

const demotions = 100;
const nodes = 3;

/** Measures how long after a demotion each of three nodes still lets the member's key change a link, and how many acts pass. */
export async function run(): Promise<void> {
  const database = await openDatabase();
  const rateLimits = { enterprise: 1e9 };
  const core = await createCore({ databaseUrl: database.url, shortBase: "http://short.test", rateLimits });
  const services = await Promise.all(Array.from({ length: nodes }, () => startHttpService(database.url)));
  const person = async (name: string) =>
    core.accounts.create({ email: `${name}@acme.example`, plan: "enterprise" });
  const [owner, member] = [await person("owner"), await person("member")];
  const as = ({ id, email, name }: typeof owner, account: Account, role: "owner" | "admin"): Actor => ({
    kind: "account",
    account,
    user: { id, email, name },
    role,
    credential: "session",
    authenticated_at: new Date(),
  });
  const made = await core.caller(as(owner, owner, "owner")).workspaces.create({ name: "Acme" });
  await core.workspaces.setPlan(made.slug, "enterprise");
  const company: Account = { id: made.id, name: "Acme", plan: "enterprise" };
  const team = core.caller(as(owner, company, "owner"));
  const { url } = await team.invitations.create({ email: member.email, role: "admin" });
  const token = url.slice(url.lastIndexOf("/") + 1);
  await core.caller(as(member, member, "owner")).invitations.accept({ token });
  const { key } = await core.caller(as(member, company, "admin")).keys.create({ name: "Script" });
  const { id } = await team.links.create({ url: "https://example.com/" });

  const act = async (service: string): Promise<number> => {
    const answer = await fetch(`${service}/v1/links/${id}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ title: String(performance.now()) }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const times: number[] = [];
  let passed = 0;
  for (let round = 0; round < demotions; round++) {
    await team.members.update({ user_id: member.id, role: "editor" });
    for (const service of services)
      if ((await act(service.url)) !== 200) throw new Error("An editor was refused");
    await team.members.update({ user_id: member.id, role: "viewer" });
    const demoted = performance.now();
    await Promise.all(
      services.map(async (service) => {
        while ((await act(service.url)) === 200) {
          passed++;
          await sleep(1);
        }
        times.push(performance.now() - demoted);
      }),
    );
  }
  const worst = Math.max(...times);
  console.log(`${demotions} demotions, until each of ${nodes} nodes refuses a change with the member's key`);
  console.log(
    `  median ${median(times).toFixed(1)} ms, worst ${worst.toFixed(1)} ms; ${passed} changes passed`,
  );
  await Promise.all(services.map((service) => service.stop()));
  await core.close();
  await database.close();
}
