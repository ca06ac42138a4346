import * as z from "zod";
import { fieldsOf } from "../validation/inputs.ts";
import { line, timestamp } from "../validation/strings.ts";

export const keyInput = fieldsOf({ name: line(100).min(1, "must not be empty").optional() });

const fields = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of the key, to tell keys apart"),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
};

export const apiKeySchema = z.object(fields).meta({ id: "ApiKey" });

export const newApiKeySchema = z
  .object({ ...fields, key: z.string().describe("The key itself, shown this once") })
  .meta({ id: "NewApiKey" });

export type ApiKey = z.infer<typeof apiKeySchema>;
export type NewApiKey = z.infer<typeof newApiKeySchema>;

interface ApiKeyRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  last_used_at?: Date | null | undefined;
}

/** Turns a row into what clients see. */
export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});
