import { LockMode } from "@mikro-orm/core";
import * as z from "zod";
import type { Em } from "../../db/em.ts";
import { notFound } from "../../kernel/errors.ts";
import { toFailure } from "../../rpc/failure.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { refuseDisabled } from "../find.ts";
import { LinkEntity } from "../link.entity.ts";

/** What a change of many links did. */
export const changedMany = z.object({
  matched: z.int().min(0).describe("How many of the ids are links of the account"),
  changed: z.int().min(0).describe("Links that were changed; with `dry_run`, those that would be"),
  change_id: z.string().nullable().describe("The change, which can be undone; null if nothing was changed"),
  results: z
    .array(
      z.object({
        id: z.string(),
        status: z.int().meta({
          description: "The HTTP status that the change of this link alone would have had",
          examples: [404],
        }),
        error: z.string().meta({ description: "Why the link was not changed", examples: ["Link not found"] }),
      }),
    )
    .describe("The ids that were not changed"),
});
export type ChangedMany = z.output<typeof changedMany>;

export type BulkLink = Awaited<ReturnType<typeof read>>[number];

/** Rows are locked in the order of their ids, as they are when clicks are counted, which rules out deadlocks. */
const read = (em: Em, ids: readonly string[], lock: "locked" | "unlocked") =>
  em.find(
    LinkEntity,
    { id: { $in: ids.filter(isId) } },
    {
      orderBy: { id: "asc" },
      disableIdentityMap: true,
      ...(lock === "locked" && { lockMode: LockMode.PESSIMISTIC_WRITE }),
    },
  );

/** Links of an account by their ids, and why some of them cannot be changed. */
export class Selection {
  readonly #results: ChangedMany["results"] = [];
  readonly #matched: number;
  #links: BulkLink[];

  private constructor(found: BulkLink[]) {
    this.#matched = found.length;
    this.#links = found;
  }

  /** Reads the links, without those that an operator disabled. An id that is sent twice counts once. */
  static async of(em: Em, ids: readonly string[], lock: "locked" | "unlocked"): Promise<Selection> {
    const distinct = new Set(ids.map((id) => id.toLowerCase()));
    const found = await read(em, [...distinct], lock);
    const selection = new Selection(found);
    const known = new Set(found.map(({ id }) => id));
    for (const id of distinct) if (!known.has(id)) selection.#refuse(id, notFound("Link"));
    await selection.check((link) => refuseDisabled("link", link));
    return selection;
  }

  /** The links that may be changed so far */
  get links(): readonly BulkLink[] {
    return this.#links;
  }

  /** Leaves out the links for which `check` throws. */
  async check(check: (link: BulkLink) => void | Promise<void>): Promise<void> {
    const passed: BulkLink[] = [];
    for (const link of this.#links) {
      try {
        await check(link);
        passed.push(link);
      } catch (error) {
        this.#refuse(link.id, error);
      }
    }
    this.#links = passed;
  }

  #refuse(id: string, error: unknown): void {
    const { status, message } = toFailure(error);
    if (status >= 500) throw error;
    this.#results.push({ id, status, error: message });
  }

  /** The answer after all links that are left have been changed. */
  answer(): ChangedMany {
    return { matched: this.#matched, changed: this.links.length, change_id: null, results: this.#results };
  }
}
