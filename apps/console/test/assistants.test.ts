import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { assistants, type Configuration } from "../src/features/assistants/assistants.ts";

const address = "https://mcp.terse.example/mcp";
const key = "terse_test-KEY_1";

/** What a program reads from it: the arguments of a command, or the value of a file. */
function parse({ language, text }: Configuration): unknown {
  if (language === "json") return JSON.parse(text);
  if (language === "sh") {
    const program = text.slice(0, text.indexOf(" "));
    const script = `${program}() { printf '%s\\n' "$@"; }; ${text}`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  }
  // In TOML, strings in double quotes are as in JSON.
  const [table = "", ...lines] = text.split("\n");
  return {
    [table]: Object.fromEntries(
      lines.map((line) => line.split(" = ")).map(([name, value = ""]) => [name, JSON.parse(value)]),
    ),
  };
}

describe.each(assistants)("the configuration of $name", ({ configure }) => {
  it("names the server, and a key only if there is one", () => {
    const signIn = configure({ address });
    expect(JSON.stringify(parse(signIn))).toContain(address);
    expect(JSON.stringify(signIn)).not.toMatch(/Authorization|Bearer|undefined/);
    const withKey = configure({ address, key });
    expect(JSON.stringify(parse(withKey))).toMatch(/Authorization|bearer_token_env_var/);
    expect(withKey.link).toBeUndefined();
  });
});

it("Claude Code gets the header as one argument", () => {
  expect(
    assistants.flatMap(({ name, configure }) =>
      name === "Claude Code" ? parse(configure({ address, key })) : [],
    ),
  ).toEqual([
    ..."mcp add --transport http terse".split(" "),
    address,
    "--header",
    `Authorization: Bearer ${key}`,
  ]);
});

it("links that install it can be read by Cursor and VS Code", () => {
  const links = assistants.flatMap(({ configure }) => configure({ address }).link ?? []);
  const [cursor, code] = links.map((link) => new URL(link));
  expect(JSON.parse(atob(cursor?.searchParams.get("config") ?? ""))).toEqual({ url: address });
  expect(code?.href.startsWith("vscode:mcp/install?")).toBe(true);
  expect(JSON.parse(decodeURIComponent(code?.search.slice(1) ?? ""))).toEqual({
    name: "terse",
    type: "http",
    url: address,
  });
});
