import { afterAll, expect, it } from "vitest";
import { leastRoleOf, roleNames, toFailure } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import {
  call,
  callers,
  createTeam,
  isAllowed,
  operations as operationsOf,
  type Team,
  unknownIds,
} from "../fixtures.ts";
import { rejection } from "../helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);

const operations = operationsOf();
let calls = 0;
afterAll(() => console.info(`${operations.length} operations, ${callers.length} callers, ${calls} calls`));

const actorIn = async (team: Team, caller: (typeof callers)[number]) => {
  const { token } = await core.sessions.create(team.people[caller].id);
  const actor = await core.credentials.bySession(token, { workspace: team.id });
  if (!actor) throw new Error("The session has ended");
  return actor;
};

it.each(operations)("$name does its work for the roles that it declares, and no other", async (operation) => {
  const { name, fixture, meta } = operation;
  const team = await createTeam(core);
  const outcomes: Record<string, boolean> = {};
  for (const role of roleNames) {
    const actor = await actorIn(team, role);
    const input = fixture.input({ ...unknownIds, ...team.ids });
    const inputs = isAllowed(operation, role, false) ? [input] : [input, undefined, { id: 7 }, "nonsense"];
    // Where only the operation itself can tell, it has read its input.
    for (const given of meta.permissionInside === undefined ? inputs : [input]) {
      calls++;
      const failure = await call(core, name, actor, given).then(end, toFailure);
      const isRefused = failure?.issues.some(({ code }) => code === "role_required") === true;
      if (isRefused) expect(failure).toMatchObject({ status: 403, code: "FORBIDDEN" });
      outcomes[role] = !isRefused;
    }
  }
  const isAboutViewer = fixture.uses.includes("member") && meta.openapi?.method === "DELETE";
  expect(outcomes).toEqual(
    Object.fromEntries(
      roleNames.map((role) => [role, isAllowed(operation, role, isAboutViewer && role === "viewer")]),
    ),
  );
  const least = leastRoleOf(meta);
  if (!isAboutViewer) expect(roleNames.find((role) => outcomes[role])).toBe(least ?? "viewer");
  calls++;
  expect(await rejection(actorIn(team, "stranger"))).toMatchObject({ code: "NOT_FOUND" });
});

/** Reads an answer that is a file to its end, since a person can have only some at once. */
async function end(answer: unknown): Promise<undefined> {
  const { body } = (answer ?? {}) as { body?: AsyncIterable<string> };
  if (typeof body !== "object") return;
  for await (const piece of body) void piece;
}
