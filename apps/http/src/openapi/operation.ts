import { type Core, planWith } from "@terse/core";
import type { Operation } from "../operations.ts";
import { isDescribed } from "./complete.ts";
import type { Json } from "./json.ts";
import { bodySchemaOf, fieldsInQuery, requestBodyOf, type Source } from "./request-body.ts";
import { responsesOf } from "./responses.ts";

/** An operation in the document; `source` is the generator's description of its input and output. */
export function describeOperation(core: Pick<Core, "plans">, operation: Operation, source: Json): Json {
  return withExamples(operation, {
    ...source,
    ...requestBodyOf(operation, source),
    operationId: operation.name,
    ...parametersOf(operation, source),
    description: descriptionOf(core, operation),
    security: securityOf(operation),
    responses: responsesOf(operation, source),
  });
}

function descriptionOf({ plans }: Pick<Core, "plans">, { meta }: Operation): string {
  const { access, openapi, scope = [] } = meta;
  const plan = access.feature && `Needs the ${plans[planWith(plans, access.feature)].title} plan.`;
  const scopes = [scope].flat().map((name) => `\`${name}\``);
  const credential =
    access.credential === "session"
      ? "Needs a session cookie from a sign-in within the last ten minutes."
      : `An API key with scopes needs ${scopes.join(" or ")}.`;
  return [openapi.description, plan, credential].filter(Boolean).join(" ");
}

/** The credentials that most operations take */
export const usualSecurity: Json[] = [{ key: [] }, { session: [] }];

/** Undefined for the usual ones */
function securityOf({ meta: { access } }: Operation): Json[] | undefined {
  if (access.credential === "session") return [{ session: [] }];
  return access.credential === "optional" ? [...usualSecurity, {}] : undefined;
}

function parametersOf({ meta: { openapi, permission } }: Operation, source: Json): Json {
  const { method, file, hasETag } = openapi;
  const added = [
    ...(method === "POST" && file ? fieldsInQuery(file, bodySchemaOf(source)) : []),
    ...(method === "POST" ? [idempotencyKey] : []),
    ...(hasETag ? [conditions[method === "GET" ? "read" : "write"]] : []),
    ...(openapi.fileAt ? [formatOfFile] : []),
    // What belongs to a person is the same in each workspace.
    ...(permission === null ? [] : [workspace]),
  ];
  return added.length === 0 ? {} : { parameters: [...((source.parameters ?? []) as Json[]), ...added] };
}

const conditions = {
  read: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of an earlier answer. If nothing has changed since, clicks included, the answer is 304",
    schema: { type: "string" },
  },
  write: {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` of the link when it was read. If the link has changed since, the answer is 412 and nothing happens. Clicks do not count as changes",
    schema: { type: "string" },
  },
};

const workspace = {
  name: "Terse-Workspace",
  in: "header",
  description:
    "The id or slug of the workspace that the call is about; 404 if the caller is not in it. Without it, a session is in the personal one; a key or token always is in its own.",
  schema: { type: "string" },
};

const formatOfFile = {
  name: "format",
  in: "query",
  description: "Answers with a file instead of a page, as the export does, which then takes the parameters",
  schema: { type: "string", enum: ["csv", "json"] },
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A unique text for each request. Repeating a request with the same key within a day returns the first answer, with `Idempotency-Replayed: true`, and changes nothing. Needs an account.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** Any id; tools that send the examples of a description need one that has the right form. */
const exampleId = "01900000-0000-7000-8000-000000000000";

/** Adds what parameters mean, and the examples that /docs sends unless they are changed: the body, and the ids in the path. */
function withExamples({ meta, inputFields }: Operation, described: Json): Json {
  const { parameters, requestBody } = described as {
    parameters?: Json[];
    requestBody?: Source["requestBody"];
  };
  const example = meta.openapi.example ?? {};
  return {
    ...described,
    parameters: parameters?.map((parameter) => ({
      ...parameter,
      // The generator misses the description of a field that is optional.
      ...(!isDescribed(parameter) && { description: inputFields[String(parameter.name)]?.description }),
      ...(parameter.in === "path" && { example: exampleId }),
    })),
    requestBody:
      requestBody && "application/json" in requestBody.content
        ? {
            ...requestBody,
            content: {
              ...requestBody.content,
              "application/json": { ...requestBody.content["application/json"], example },
            },
          }
        : requestBody,
  };
}
