import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { connectionsOf, type LogLevel, readSettings, type Settings, SettingsError } from "../src/index.ts";

const thisFile = import.meta.filename;
const read = (env: Record<string, string | undefined>) => readSettings(env, "/checkout");

function problems(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe("unset settings", () => {
  it("include empty ones", () => {
    const names = Object.keys(read({}));
    expect(read(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(read({}));
  });

  it("derive the public URLs from the ports", () => {
    const { BASE_URL, SHORT_BASE, MCP_URL } = read({
      HTTP_PORT: "8080",
      REDIRECT_PORT: "8081",
      MCP_PORT: "8082",
    });
    expect([BASE_URL, SHORT_BASE, MCP_URL]).toEqual([
      "http://localhost:8080",
      "http://localhost:8081",
      "http://localhost:8082",
    ]);
  });
});

it("every setting has its own type", () => {
  expectTypeOf<Settings["BASE_URL"]>().toEqualTypeOf<string>();
  expectTypeOf<Settings["HTTP_PORT"]>().toEqualTypeOf<number>();
  expectTypeOf<Settings["DATABASE_URL"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Settings["TRUSTED_PROXIES"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Settings["API_KEYS_PLAN"]>().toEqualTypeOf<"enterprise" | "pro">();
  expectTypeOf<Settings["LOG_LEVEL"]>().toEqualTypeOf<LogLevel>();
});

describe("settings with a value", () => {
  it.each([
    ["BASE_URL", "https://Terse.Example/", "https://terse.example"],
    ["SHORT_BASE", "https://trs.example:443", "https://trs.example"],
    ["MCP_URL", "http://[::1]:3002/", "http://[::1]:3002"],
    ["ROOT_URL", "https://Terse.Example/about?a=b", "https://terse.example/about?a=b"],
    ["HTTP_PORT", "0", 0],
    ["HOST", "::", "::"],
    ["HOST", "node-1.internal", "node-1.internal"],
    ["DATABASE_URL", "postgresql://u:p@db/terse", "postgresql://u:p@db/terse"],
    ["DATABASE_URL", "postgresql://u:p@a:1,b/t", "postgresql://u:p@a:1,b/t"],
    ["DATA_DIR", "data/one", "/checkout/data/one"],
    ["DATA_DIR", "/var/lib/terse", "/var/lib/terse"],
    ["REDIS_URL", "rediss://cache:6380", "rediss://cache:6380"],
    ["TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8,::1", ["10.0.0.0/8", "fd00::/8", "::1"]],
    ["API_KEYS_PLAN", "pro", "pro"],
    ["DNS_SERVERS", "9.9.9.9,[2620:fe::fe]:5353,2620:fe::9", ["9.9.9.9", "[2620:fe::fe]:5353", "2620:fe::9"]],
    ["BLOCKLIST_FILES", `${thisFile}, ${thisFile}`, [thisFile, thisFile]],
    ["GEO_DB", thisFile, thisFile],
    ["SCREEN_DNS", "1.1.1.2:5353", "1.1.1.2:5353"],
    ["SCREEN_DNS_SINKHOLES", "0.0.0.0,::", ["0.0.0.0", "::"]],
    ["LOG_ADDRESSES", "short", "short"],
    ["LOG_LEVEL", "silent", "silent"],
  ])("%s=%s is read as %j", (name, text, value) => {
    expect(read({ [name]: text })).toHaveProperty([name], value);
  });

  it.each([
    ["BASE_URL", "terse.example"],
    ["BASE_URL", "ftp://terse.example"],
    ["BASE_URL", "https://terse.example/app"],
    ["BASE_URL", "https://terse.example?"],
    ["BASE_URL", "https://terse.example#x"],
    ["ROOT_URL", "terse.example"],
    ["ROOT_URL", "ftp://terse.example/"],
    ["ROOT_URL", "http://localhost:3001"],
    ["HTTP_PORT", "65536"],
    ["HTTP_PORT", "-1"],
    ["HTTP_PORT", "3e3"],
    ["HTTP_PORT", " 3000"],
    ["HOST", "127.0.0"],
    ["HOST", "http://localhost"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,"],
    ["TRUSTED_PROXIES", "::/129"],
    ["TRUSTED_PROXIES", "::ffff:10.0.0.0/8"],
    ["TRUSTED_PROXIES", "proxy.internal"],
    ["KEY_PREFIX", "Terse"],
    ["KEY_PREFIX", "a_b"],
    ["API_KEYS_PLAN", "free"],
    ["RATE_LIMIT_FREE", "0"],
    ["RATE_LIMIT_FREE", "1.5"],
    ["DNS_SERVERS", "9.9.9.9:0"],
    ["DNS_SERVERS", "dns.example"],
    ["BLOCKLIST_FILES", "/no/such/list.txt"],
    ["BLOCKLIST_FILES", `${thisFile},`],
    ["BLOCKLIST_FILES", import.meta.dirname],
    ["GEO_DB", "no/such/places.mmdb"],
    ["SCREEN_DNS", "1.1.1.2,1.0.0.2"],
    ["SCREEN_DNS", "dns.example"],
    ["SCREEN_DNS_SINKHOLES", "0.0.0.0/8"],
    ["LOG_ADDRESSES", "none"],
    ["LOG_LEVEL", "verbose"],
    ["OAUTH_PROVIDERS", "Google"],
    ["OAUTH_PROVIDERS", "__proto__"],
  ])("%s=%s is rejected with its name and the given value", (name, text) => {
    const [problem, ...others] = problems({ [name]: text });
    expect(problem).toMatch(new RegExp(`^${name} is .*must `));
    expect(problem).toContain(JSON.stringify(text));
    expect(others).toEqual([]);
  });

  it("may be host lists with paths relative to the checkout", () => {
    const name = basename(thisFile);
    const env = { BLOCKLIST_FILES: name };
    expect(readSettings(env, import.meta.dirname).BLOCKLIST_FILES).toEqual([thisFile]);
    expect(problems(env)).toEqual([
      `BLOCKLIST_FILES is "${name}": /checkout/${name} must be a readable file`,
    ]);
  });

  it("are all reported at once if invalid, one line each", () => {
    const bad = { HTTP_PORT: "x", LOG_LEVEL: "y", HOST: "a b" };
    expect(problems(bad)).toHaveLength(3);
    expect(() => read(bad)).toThrow(/^HTTP_PORT .*\nHOST .*\nLOG_LEVEL .*$/);
  });

  it("never appear in messages if they are secret", () => {
    const lines = problems({
      DATABASE_URL: "mysql://u:hunter2@db",
      REDIS_URL: "http://:hunter2@cache",
      BASE_URL: "https://u:hunter2@terse.example",
      OAUTH_PROVIDERS: "google",
      OAUTH_GOOGLE_ISSUER: "https://u:hunter2@accounts.example",
      OAUTH_GOOGLE_CLIENT_SECRET: "hunter2",
    });
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual([
      "BASE_URL",
      "DATABASE_URL",
      "REDIS_URL",
      "OAUTH_GOOGLE_ISSUER",
      "OAUTH_GOOGLE_CLIENT_ID",
    ]);
    expect(lines.join()).not.toContain("hunter2");
  });

  it("may name files for TLS, which must be readable", () => {
    const parameters = `sslrootcert=${encodeURIComponent(thisFile)}&sslkey=/nowhere/key`;
    const DATABASE_URL = `postgres://u:hunter2@db/terse?sslmode=verify-full&${parameters}`;
    const REDIS_URL = `rediss://:hunter2@cache?${parameters}`;
    expect(problems({ DATABASE_URL, REDIS_URL })).toEqual([
      'DATABASE_URL: sslkey must be a readable file, not "/nowhere/key"',
      'REDIS_URL: sslkey must be a readable file, not "/nowhere/key"',
    ]);
  });

  it.each([
    [
      "postgres://u:hunter2@db/t?target_session_attrs=standby",
      "target_session_attrs must be any, read-write, primary",
    ],
    ["postgres://u:hunter2@a:x,b/t", "each host must be a name or an address with an optional port"],
    [`postgres://u:hunter2@${"a,".repeat(16)}a/t`, "must name at most 16 hosts"],
  ])("are refused as a database with several hosts, without their password: %s", (DATABASE_URL, problem) => {
    const [line = ""] = problems({ DATABASE_URL });
    expect(line).toContain(problem);
    expect(line).not.toContain("hunter2");
  });

  it("divide the connections of a node, which must be enough for all its processes", () => {
    const split = (env: Record<string, string>) => connectionsOf(read(env));
    expect(split({})).toEqual({ main: 19, worker: 5, workerTotal: 12 });
    expect(split({ REDIRECT_WORKERS: "0" }).main).toBe(19);
    for (const [total, workers] of [
      [10, 1],
      [32, 1],
      [39, 2],
      [60, 4],
      [8, 0],
    ] as const) {
      const { main, worker, workerTotal } = split({
        DATABASE_POOL: `${total}`,
        REDIRECT_WORKERS: `${workers}`,
      });
      expect(6 + main + (2 * workers || 1) + worker * workers).toBe(total);
      expect(main).toBeGreaterThan(0);
      // A worker divides what it gets in the same way.
      expect(split({ DATABASE_POOL: `${workerTotal}`, REDIRECT_WORKERS: "0" }).main).toBe(worker);
    }
    expect(problems({ DATABASE_POOL: "9" })).toEqual([
      'DATABASE_POOL is "9": must be at least 10 with REDIRECT_WORKERS=1',
    ]);

    // The stream's drain and what compares the replicas have their own.
    const more = {
      CLICK_STREAM_URL: "redis://r:6379",
      DATABASE_URL: "postgres://db/t",
      DATABASE_REPLICA_URL: "postgres://db2/t",
    };
    expect(split(more)).toEqual({ main: 19, worker: 5, workerTotal: 14 });
    const { main, worker, workerTotal } = split({ ...more, DATABASE_POOL: "39", REDIRECT_WORKERS: "2" });
    expect(6 + 2 + main + 3 * 2 + worker * 2).toBe(39);
    const ofWorker = { ...more, DATABASE_POOL: `${workerTotal}`, REDIRECT_WORKERS: "0" };
    expect(split(ofWorker).main).toBe(worker);
    expect(problems({ ...more, DATABASE_POOL: "12" })).toEqual([
      'DATABASE_POOL is "12": must be at least 13 with REDIRECT_WORKERS=1, CLICK_STREAM_URL, DATABASE_REPLICA_URL',
    ]);
  });

  it("are shortened in messages if they are long", () => {
    expect(problems({ LOG_LEVEL: "x".repeat(10_000) })[0]?.length).toBeLessThan(300);
  });
});

describe("secrets in files", () => {
  const folder = mkdtempSync(join(tmpdir(), "terse-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it("are used like the variables, without white space around them", () => {
    const database = "postgres://terse:hunter2@db/terse";
    const { DATABASE_URL, REDIS_URL, OAUTH_PROVIDERS } = read({
      DATABASE_URL_FILE: file("database", `${database}\n`),
      REDIS_URL_FILE: relative("/checkout", file("redis", "rediss://:hunter2@cache\n")),
      OAUTH_PROVIDERS: "github",
      OAUTH_GITHUB_CLIENT_ID: "g",
      OAUTH_GITHUB_CLIENT_SECRET_FILE: file("github", " hunter2\n"),
    });
    expect([DATABASE_URL, REDIS_URL, OAUTH_PROVIDERS[0]?.clientSecret]).toEqual([
      database,
      "rediss://:hunter2@cache",
      "hunter2",
    ]);
  });

  it("are refused if the variable is set too, or if the file cannot be used", () => {
    const empty = file("empty", " \n");
    const lines = problems({
      DATABASE_URL: "postgres://db/terse",
      DATABASE_URL_FILE: file("database", "postgres://db/terse"),
      REDIS_URL_FILE: empty,
      OAUTH_A_CLIENT_SECRET_FILE: join(folder, "missing"),
      OAUTH_B_CLIENT_SECRET_FILE: folder,
    });
    expect(lines).toEqual([
      "DATABASE_URL and DATABASE_URL_FILE are both set: unset one of them",
      `REDIS_URL_FILE is ${JSON.stringify(empty)}: the file is empty`,
      `OAUTH_A_CLIENT_SECRET_FILE is ${JSON.stringify(join(folder, "missing"))}: the file cannot be read (ENOENT)`,
      `OAUTH_B_CLIENT_SECRET_FILE is ${JSON.stringify(folder)}: the file cannot be read (EISDIR)`,
    ]);
  });

  it("do not appear in messages, and are not for settings that are no secrets", () => {
    const DATABASE_URL_FILE = file("database", "mysql://u:hunter2@db");
    expect(problems({ DATABASE_URL_FILE })).toEqual([expect.not.stringContaining("hunter2")]);
    expect(read({ HOST_FILE: "/nowhere" }).HOST).toBe("127.0.0.1");
  });
});

describe("sign-in providers", () => {
  const keycloak = {
    OAUTH_PROVIDERS: "keycloak",
    OAUTH_KEYCLOAK_CLIENT_ID: "terse",
    OAUTH_KEYCLOAK_CLIENT_SECRET: "s",
  };

  it("have an issuer and a client, in the given order", () => {
    const { OAUTH_PROVIDERS } = read({
      ...keycloak,
      OAUTH_PROVIDERS: "github, keycloak",
      OAUTH_KEYCLOAK_ISSUER: "https://id.example/realms/terse/",
      OAUTH_KEYCLOAK_GROUPS_CLAIM: "realm_access.roles",
      OAUTH_GITHUB_CLIENT_ID: "g",
      OAUTH_GITHUB_CLIENT_SECRET: "t",
    });
    expect(OAUTH_PROVIDERS).toEqual([
      { name: "github", issuer: null, clientId: "g", clientSecret: "t", groupsClaim: "groups" },
      {
        name: "keycloak",
        issuer: "https://id.example/realms/terse/",
        clientId: "terse",
        clientSecret: "s",
        groupsClaim: "realm_access.roles",
      },
    ]);
  });

  it.each(["http://localhost:8080/realms/a", "http://127.0.0.1:1", "http://[::1]:1"])(
    "may have the loopback issuer %s",
    (issuer) => {
      expect(read({ ...keycloak, OAUTH_KEYCLOAK_ISSUER: issuer }).OAUTH_PROVIDERS[0]?.issuer).toBe(issuer);
    },
  );

  it.each([
    "http://id.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "https://a?b",
    "id",
  ])("may not have the issuer %s", (issuer) => {
    expect(problems({ ...keycloak, OAUTH_KEYCLOAK_ISSUER: issuer })[0]).toMatch(/^OAUTH_KEYCLOAK_ISSUER is /);
  });

  it("need an issuer, except GitHub", () => {
    expect(problems(keycloak)).toEqual([
      "OAUTH_KEYCLOAK_ISSUER is not set: keycloak is in OAUTH_PROVIDERS and needs it",
    ]);
  });

  it("must have different names", () => {
    expect(problems({ ...keycloak, OAUTH_PROVIDERS: "keycloak,keycloak" })[0]).toContain(
      "must name each provider once",
    );
  });
});

describe("roles of groups", () => {
  it("are read with the group's whole name", () => {
    const { GROUP_ROLES } = read({
      GROUP_ROLES: "staff=*:viewer, cn=it%2Cou=a=Acme:Admin ,a b:c=acme:editor,root=*:operator",
    });
    expect(GROUP_ROLES).toEqual([
      { group: "staff", workspace: "*", role: "viewer" },
      { group: "cn=it,ou=a", workspace: "acme", role: "admin" },
      { group: "a b:c", workspace: "acme", role: "editor" },
      { group: "root", workspace: "*", role: "operator" },
    ]);
    expect(read({}).GROUP_ROLES).toEqual([]);
  });

  it.each([
    ["staff", "must have the form group=workspace:role, such as staff=*:viewer"],
    ["staff=acme", "must have the form group=workspace:role, such as staff=*:viewer"],
    ["=acme:viewer", "must have the form group=workspace:role, such as staff=*:viewer"],
    ["a=b:viewer,", "must have the form group=workspace:role, such as staff=*:viewer"],
    ["staff=acme:boss", "must end in one of the roles viewer, editor, admin, operator"],
    ["staff=acme:owner", "must not give ownership, which owners hand over themselves: use admin"],
    ["staff=acme:operator", "must name * as workspace, since operators run the whole service"],
  ])("that cannot be read are refused: %s", (GROUP_ROLES, why) => {
    expect(problems({ GROUP_ROLES })).toEqual([expect.stringMatching(/^GROUP_ROLES is /)]);
    expect(problems({ GROUP_ROLES })[0]).toContain(why);
  });
});
