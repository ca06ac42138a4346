import { arrayOf, type Json, objectOf, resolve, show } from "./json.ts";
import { type Direction, schemaFindings } from "./schemas.ts";

/**
 * Compares two OpenAPI 3.1 documents. A request stays compatible if the new schema accepts every value that the old
 * one accepted; an answer stays compatible if the old schema accepts every value that the new one produces. Both are
 * one question: does the narrow schema fit into the wide one?
 */

/** What breaks clients. */
export interface Change {
  /** "PUT /v1/links/{id}" */
  operation: string;
  /** "body.title no longer accepts null" */
  what: string;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Returns every change of the description that breaks clients. */
export function changesBetween(before: Json, after: Json): Change[] {
  const operationsAfter = operationsOf(after);
  return Object.entries(operationsOf(before)).flatMap(([operation, old]) => {
    const current = operationsAfter[operation];
    const findings = current ? operationFindings(old, current, before, after) : ["the operation is removed"];
    return findings.map((what) => ({ operation, what }));
  });
}

function operationsOf(document: Json): Record<string, Json> {
  const paths = Object.entries(objectOf(document["paths"]));
  return Object.fromEntries(
    paths.flatMap(([path, item]) => {
      const { parameters, ...operations } = objectOf(item);
      return methods
        .filter((method) => method in operations)
        .map((method) => {
          const operation = objectOf(operations[method]);
          const all = [...arrayOf(parameters), ...arrayOf(operation["parameters"])];
          const security = operation["security"] ?? document["security"];
          return [`${method.toUpperCase()} ${path}`, { ...operation, parameters: all, security }];
        });
    }),
  );
}

function operationFindings(old: Json, current: Json, before: Json, after: Json): string[] {
  const request = { isRequest: true, narrowDocument: before, wideDocument: after, open: [] };
  const response = { isRequest: false, narrowDocument: after, wideDocument: before, open: [] };
  return [
    ...(old["operationId"] === current["operationId"]
      ? []
      : [`operationId is now ${show(current["operationId"])}`]),
    ...securityFindings(arrayOf(old["security"]), arrayOf(current["security"])),
    ...parameterFindings(old, current, request),
    ...bodyFindings(old, current, request),
    ...responseFindings(old, current, response),
  ];
}

/** Every way of authenticating that sufficed must still suffice. */
function securityFindings(old: unknown[], current: unknown[]): string[] {
  const alternatives = (list: unknown[]) =>
    (list.length === 0 ? [{}] : list).map((item) =>
      Object.entries(objectOf(item)).flatMap(([scheme, scopes]) => [
        scheme,
        ...arrayOf(scopes).map((scope) => `${scheme}:${String(scope)}`),
      ]),
    );
  return alternatives(old)
    .filter((had) => !alternatives(current).some((needs) => needs.every((name) => had.includes(name))))
    .map((had) => `no longer accepts ${had.join(" with ") || "calls without a credential"}`);
}

function parameterFindings(old: Json, current: Json, direction: Direction): string[] {
  const parametersOf = (operation: Json, document: Json) =>
    Object.fromEntries(
      arrayOf(operation["parameters"]).map((item) => {
        const parameter = resolve(document, item);
        return [`${String(parameter["in"])} ${String(parameter["name"])}`, parameter];
      }),
    );
  const before = parametersOf(old, direction.narrowDocument);
  const after = parametersOf(current, direction.wideDocument);
  return [
    ...Object.entries(before).flatMap(([name, parameter]) => {
      const now = after[name];
      if (!now) return [`${name} is removed`];
      return [
        ...["style", "explode", "content"]
          .filter((key) => show(parameter[key]) !== show(now[key]))
          .map((key) => `${name} has another ${key}`),
        ...schemaFindings(parameter["schema"], now["schema"], name, direction),
      ];
    }),
    ...Object.entries(after)
      .filter(([name, { required }]) => required === true && before[name]?.["required"] !== true)
      .map(([name]) => `${name} is now required`),
  ];
}

function bodyFindings(old: Json, current: Json, direction: Direction): string[] {
  const body = resolve(direction.narrowDocument, old["requestBody"]);
  const now = resolve(direction.wideDocument, current["requestBody"]);
  return [
    ...(now["required"] === true && body["required"] !== true ? ["body is now required"] : []),
    ...contentFindings(body, now, "body", direction),
  ];
}

function responseFindings(old: Json, current: Json, direction: Direction): string[] {
  const before = objectOf(old["responses"]);
  const after = objectOf(current["responses"]);
  return Object.entries(before).flatMap(([status, item]) => {
    if (!(status in after)) return [`answer ${status} is removed`];
    const answer = resolve(direction.wideDocument, item);
    const now = resolve(direction.narrowDocument, after[status]);
    return [
      ...headerFindings(objectOf(answer["headers"]), objectOf(now["headers"]), status, direction),
      ...contentFindings(answer, now, status, direction),
    ];
  });
}

function headerFindings(before: Json, after: Json, status: string, direction: Direction): string[] {
  return Object.entries(before).flatMap(([name, item]) => {
    const at = `${status} header ${name}`;
    if (!(name in after)) return [`${at} is removed`];
    const header = resolve(direction.wideDocument, item);
    const now = resolve(direction.narrowDocument, after[name]);
    return [
      ...(header["required"] === true && now["required"] !== true ? [`${at} may now be missing`] : []),
      ...schemaFindings(now["schema"], header["schema"], at, direction),
    ];
  });
}

/** Compares the old content of a body or an answer with the new one, type by type. */
function contentFindings(before: Json, after: Json, at: string, direction: Direction): string[] {
  const contentAfter = objectOf(after["content"]);
  return Object.entries(objectOf(before["content"])).flatMap(([type, media]) => {
    if (!(type in contentAfter)) return [`${at} as ${type} is removed`];
    const old = objectOf(media)["schema"];
    const now = objectOf(contentAfter[type])["schema"];
    return direction.isRequest
      ? schemaFindings(old, now, at, direction)
      : schemaFindings(now, old, at, direction);
  });
}
