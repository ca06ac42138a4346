import { expect } from "vitest";
import type { TestApp } from "../client.ts";

/** A request as a directory sends it, and what the answer has. */
export interface Turn {
  what: string;
  method: string;
  path: string;
  body?: unknown;
  status: number;
  /** Part of the answer */
  answer?: unknown;
  /** The name under which later turns use the id in the answer, as `{name}` */
  keeps?: string;
}

/** Sends the requests one after the other. Returns the ids that were kept. */
export async function converse(
  app: TestApp,
  token: string,
  turns: readonly Turn[],
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all);
  for (const { what, method, path, body, status, answer, keeps } of turns) {
    const reply = await askScim(
      app,
      token,
      method,
      filled(path),
      body && JSON.parse(filled(JSON.stringify(body))),
    );
    expect({ what, status: reply.status, body: reply.json }).toMatchObject({
      what,
      status,
      ...(answer !== undefined && { body: JSON.parse(filled(JSON.stringify(answer))) as object }),
    });
    if (keeps !== undefined) ids[keeps] = (reply.json as { id: string }).id;
  }
  return ids;
}

/** One request. */
export async function askScim(app: TestApp, token: string, method: string, path: string, body?: unknown) {
  const { status, text, headers } = await app.ask(method, `/scim/v2${path}`, {
    key: token,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { "Content-Type": "application/scim+json; charset=utf-8" },
  });
  if (text !== "") expect(headers.get("content-type")).toBe("application/scim+json");
  return { status, headers, json: text === "" ? undefined : (JSON.parse(text) as unknown) };
}
