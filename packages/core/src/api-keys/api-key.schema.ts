import * as z from "zod";
import { fieldsOf } from "../validation/inputs.ts";
import { named } from "../validation/outputs.ts";
import { line, timestamp } from "../validation/strings.ts";

export const keyInput = fieldsOf({ name: line(100).min(1, "must not be empty").optional() });

const fields = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key, to tell keys apart */
  prefix: z.string().describe("The first characters of the key, to tell keys apart"),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

/** An API key as every client sees it. */
export interface ApiKey extends z.infer<typeof fields> {}
export const apiKeySchema = named<ApiKey>("ApiKey", fields);

const newFields = fields.extend({
  /** The key itself, shown only once */
  key: z.string().describe("The key itself, shown only once"),
});

/** An API key that was just created. */
export interface NewApiKey extends z.infer<typeof newFields> {}
export const newApiKeySchema = named<NewApiKey>("NewApiKey", newFields);

interface ApiKeyRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  last_used_at?: Date | null | undefined;
}

/** Converts a row to what clients see. */
export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});
