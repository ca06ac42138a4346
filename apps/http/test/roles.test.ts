import {
  callers,
  createTeam,
  fixtureOf,
  isAllowed,
  operations as operationsOf,
  unknownIds,
} from "@terse/core/fixtures";
import { afterAll, expect, it } from "vitest";
import { type Answer, baseUrl, startApp } from "./client.ts";
import { restRequest } from "./rest-request.ts";

const app = await startApp();
const operations = operationsOf();
let requests = 0;
afterAll(() =>
  console.info(`${operations.length} operations, ${callers.length} callers, ${requests} requests`),
);

/** Whether the answer says that the caller's role is too small. */
const isRefusedByRole = ({ status, text }: Answer) => status === 403 && text.includes('"role_required"');

it.each(operations)("$name answers each role over REST and tRPC as it declares", async (operation) => {
  const { name, meta } = operation;
  const team = await createTeam(app.core);
  const input = fixtureOf(name).input({ ...unknownIds, ...team.ids });
  const mayBeMissing = meta.openapi?.errors?.includes(404) !== false;
  for (const named of [team.id, team.slug]) {
    for (const caller of callers) {
      const { token: cookie } = await app.core.sessions.create(team.people[caller].id);
      const headers = {
        "Terse-Workspace": named,
        Origin: baseUrl,
        // With the codes of issues
        Accept: "application/problem+json",
      };
      const ask = { cookie, headers };
      const answers = named === team.id ? [await app.askTrpc(name, input, ask)] : [];
      if (named === team.slug && meta.openapi) {
        const [method, path, body] = restRequest(meta.openapi, input);
        answers.push(
          await app.ask(method, path, { ...body, ...ask, headers: { ...body.headers, ...headers } }),
        );
      }
      requests += answers.length;
      for (const answer of answers) {
        if (caller === "stranger") {
          expect(answer.status).toBe(404);
          continue;
        }
        const isOneself = caller === "viewer" && name === "members.remove";
        expect([caller, isRefusedByRole(answer)]).toEqual([caller, !isAllowed(operation, caller, isOneself)]);
        if (!mayBeMissing) expect(answer.status).not.toBe(404);
      }
    }
  }
});
