import { AppError, type Core, type Directory, type DirectoryFilter, type DirectoryPage } from "@terse/core";
import { bearerToken, readBody, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { sourceOf } from "../credentials.ts";
import { isObject, type Json } from "./attributes.ts";
import { maxResults, resourceTypes, schemas, serviceProviderConfig } from "./discovery.ts";
import { parseFilter } from "./filter.ts";
import { changeGroup, groupFilters, readGroup, replaceGroup, showGroup } from "./group.ts";
import { readPatch } from "./patch.ts";
import { ScimError, scimAnswer, scimFailure } from "./scim-error.ts";
import { changePerson, readPerson, replacePerson, showPerson, userFilters } from "./user.ts";

const root = "/scim/v2";
const maxBodyBytes = 2 * 1024 * 1024;

interface Env {
  Bindings: ServerEnv["Bindings"];
  Variables: ServerEnv["Variables"] & { directory: Directory };
}

/** SCIM 2.0 (RFC 7643, RFC 7644), for companies' directories. A token is for the people and groups of one workspace. */
export function scimRoutes(core: Core, baseOrigin: string): Hono<Env> {
  const app = new Hono<Env>();
  const base = baseOrigin + root;
  const scim = app.basePath(root);

  scim.use("*", async (c, next) => {
    const token = bearerToken(c.req.header("authorization") ?? "");
    const directory = token === null ? null : await core.scim.open(token, sourceOf(plain(c)));
    if (!directory)
      throw new AppError("UNAUTHORIZED", "Send Authorization: Bearer <token of this directory>");
    c.set("account", directory.workspaceId);
    c.set("directory", directory);
    await next();
  });

  scim.get("/ServiceProviderConfig", (c) => scimAnswer(c, 200, serviceProviderConfig(base)));
  for (const [name, all] of [
    ["ResourceTypes", resourceTypes(base)],
    ["Schemas", schemas(base)],
  ] as const) {
    scim.get(`/${name}`, (c) => scimAnswer(c, 200, listOf(all, all.length)));
    scim.get(`/${name}/:id`, (c) =>
      scimAnswer(c, 200, found(all.find(({ id }) => id === c.req.param("id")))),
    );
  }

  scim.get("/Users", async (c) => {
    const page = pageOf(c, userFilters);
    const { total, entries } = await c.var.directory.people(page);
    const shown = entries.map((person) => chosen(c, showPerson(person, base)));
    return scimAnswer(c, 200, listOf(shown, total, page.offset));
  });
  scim.post("/Users", async (c) => {
    const person = await c.var.directory.addPerson(readPerson(await readJson(c)));
    return created(c, showPerson(person, base));
  });
  scim.get("/Users/:id", async (c) =>
    scimAnswer(c, 200, chosen(c, showPerson(await c.var.directory.person(c.req.param("id")), base))),
  );
  scim.put("/Users/:id", async (c) => {
    const change = replacePerson(await readJson(c));
    const after = await c.var.directory.changePerson(c.req.param("id"), change);
    return scimAnswer(c, 200, chosen(c, showPerson(after, base)));
  });
  scim.patch("/Users/:id", async (c) => {
    const change = changePerson(readPatch(await readJson(c)));
    const after = await c.var.directory.changePerson(c.req.param("id"), change);
    return scimAnswer(c, 200, chosen(c, showPerson(after, base)));
  });
  scim.delete("/Users/:id", async (c) => {
    await c.var.directory.removePerson(c.req.param("id"));
    return c.body(null, 204);
  });

  scim.get("/Groups", async (c) => {
    const page = pageOf(c, groupFilters);
    const { total, entries } = await c.var.directory.groups(page, isWanted(c, "members"));
    const shown = entries.map((group) => chosen(c, showGroup(group, base)));
    return scimAnswer(c, 200, listOf(shown, total, page.offset));
  });
  scim.post("/Groups", async (c) => {
    const { attributes, members } = readGroup(await readJson(c));
    return created(c, showGroup(await c.var.directory.addGroup(attributes, members), base));
  });
  const shownGroup = async (c: Context<Env>, id: string) => {
    const group = await c.var.directory.group(id, isWanted(c, "members"));
    return scimAnswer(c, 200, chosen(c, showGroup(group, base)));
  };
  scim.get("/Groups/:id", (c) => shownGroup(c, c.req.param("id")));
  scim.put("/Groups/:id", async (c) => {
    await c.var.directory.changeGroup(c.req.param("id"), replaceGroup(await readJson(c)));
    return shownGroup(c, c.req.param("id"));
  });
  // Without a body: groups may have thousands of members.
  scim.patch("/Groups/:id", async (c) => {
    await c.var.directory.changeGroup(c.req.param("id"), changeGroup(readPatch(await readJson(c))));
    return c.body(null, 204);
  });
  scim.delete("/Groups/:id", async (c) => {
    await c.var.directory.removeGroup(c.req.param("id"));
    return c.body(null, 204);
  });

  scim.all("*", () => {
    throw noResource();
  });
  app.onError((error, c) => scimFailure(plain(c), error));
  return app;
}

/** The context without what only these routes have. */
const plain = (c: Context<Env>) => c as unknown as Context<ServerEnv>;

const noResource = () => new AppError("NOT_FOUND", "There is no such resource, or it has no such method");

function found(resource: Json | undefined): Json {
  if (!resource) throw noResource();
  return resource;
}

const created = (c: Context<Env>, resource: Json) =>
  scimAnswer(c, 201, resource, { Location: (resource.meta as { location: string }).location });

const listOf = (resources: readonly Json[], total: number, offset = 0): Json => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** Reads a filter and the page (RFC 7644, section 3.4.2.4); a page has 100 entries, unless the client wants others. */
function pageOf(c: Context<Env>, names: Readonly<Record<string, keyof DirectoryFilter>>): DirectoryPage {
  const whole = (name: string, usual: number) => {
    const text = c.req.query(name);
    if (text === undefined || text === "") return usual;
    if (/^-?\d{1,9}$/.test(text)) return Number(text);
    throw new ScimError("invalidValue", `${name}: must be a whole number`);
  };
  return {
    filter: filterOf(c.req.query("filter"), names),
    offset: Math.max(1, whole("startIndex", 1)) - 1,
    limit: Math.min(maxResults, Math.max(0, whole("count", 100))),
  };
}

function filterOf(
  text: string | undefined,
  names: Readonly<Record<string, keyof DirectoryFilter>>,
): DirectoryFilter {
  const filter: Record<string, string | boolean> = {};
  for (const { path, value } of text ? parseFilter(text) : []) {
    // An address has one type here at most.
    if (path === "emails.type") continue;
    const name = Object.hasOwn(names, path) ? names[path] : undefined;
    if (name === undefined) {
      const known = Object.keys(names).join(", ");
      throw new ScimError("invalidFilter", `filter: ${path} cannot be filtered by, only ${known} can`);
    }
    const wanted = name === "active" ? /^true$/i.test(String(value)) : String(value);
    if (name in filter && filter[name] !== wanted)
      throw new ScimError("invalidFilter", `filter: ${path} is compared with two values`);
    filter[name] = wanted;
  }
  return filter;
}

/** The names in a query parameter, in lower case and without sub-attributes. */
const namesIn = (c: Context<Env>, parameter: string): string[] =>
  (c.req.query(parameter) ?? "")
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, "")
        .replace(/\..*/, "")
        .toLowerCase(),
    )
    .filter((name) => name !== "");

/** Whether the client wants an attribute (RFC 7644, section 3.9); `id` and `schemas` are always sent. */
function isWanted(c: Context<Env>, name: string): boolean {
  const wanted = namesIn(c, "attributes");
  if (wanted.length > 0) return wanted.includes(name);
  return !namesIn(c, "excludedAttributes").includes(name);
}

const chosen = (c: Context<Env>, resource: Json): Json =>
  Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => name === "id" || name === "schemas" || isWanted(c, name.toLowerCase()),
    ),
  );

async function readJson(c: Context<Env>): Promise<Json> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/scim+json" && type !== "application/json")
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/scim+json");
  const bytes = await readBody(c.req.raw, maxBodyBytes);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ScimError("invalidSyntax", "The body must be valid JSON in UTF-8");
  }
  if (!isObject(body)) throw new ScimError("invalidSyntax", "The body must be a JSON object");
  return body;
}
