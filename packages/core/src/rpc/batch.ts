import * as z from "zod";
import type { Definition } from "./operation.ts";

/** Calls in one tRPC batch */
export const maxBatchSize = 20;
/** What a batch may ask for: as much as three of the largest pages, so that it costs little more than a single request may. */
const maxItems = 300;
const search = 100;
const report = 40;
/** A QR code as SVG */
const drawing = 25;
/** A QR code as PNG, or a file that is sent */
const image = 100;

export const tooManyCalls = `The batch has too many calls: send at most ${maxBatchSize} at once`;
export const tooManyItems = `The batch asks for too much: its lists may ask for ${maxItems} items together (see limit), where a search counts as ${search}, a report as ${report}, a QR code as ${drawing}, and a PNG or an upload as ${image}`;

/** Whether a batch of these calls asks for more than `maxItems`. Calls with an invalid `limit` count nothing: they are refused. */
export const asksForTooMuch = (calls: readonly { name: string; definition: Definition; input: unknown }[]) =>
  calls.reduce((sum, { name, definition, input }) => sum + itemsOf(name, definition, input), 0) > maxItems;

function itemsOf(name: string, { page, fields, meta }: Definition, input: unknown): number {
  if (name.startsWith("analytics.")) return report;
  if (meta.openapi?.file) return image;
  if (name === "links.qr") return (input as { format?: unknown } | null)?.format === "png" ? image : drawing;
  if (!page) return 0;
  const { limit, search: text } = (input ?? {}) as { limit?: unknown; search?: unknown };
  if (text !== undefined) return search;
  const asked = fields["limit"] && z.safeParse(fields["limit"], limit);
  return asked?.success ? Number(asked.data) : 0;
}
