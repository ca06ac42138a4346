import { accountProcedure, type Call } from "./call.ts";
import { raw } from "@mikro-orm/core";
import * as z from "zod";
import { addedTo, assertNoLoops, assertNotOwnHost, whereNoLoop } from "../domains/redirect-loops.ts";
import { changesOf } from "../kernel/validation/inputs.ts";
import { checkEach, concurrentChange, maxAttempts } from "../kernel/errors.ts";
import { slugUpdateError } from "./unique-slug.ts";
import { findLink, LinkEntity, type LinkRow, assertEnabled, toLink } from "./link.row.ts";
import { type Change, changeBy, setChangeContext, contextOf } from "../history/change.ts";
import { requireHandOver } from "./makers.ts";
import { optionInputs } from "../redirects/rules/rules.ts";
import { inTransaction } from "../db/connection.ts";
import { assertNotBlocked } from "../safety/screening/screening.ts";
import { requireRoomForTags, setTags, tagsOf } from "./tags/tagging.ts";
import { changeFields, type LinkChanges, linkSchema, slugInput } from "./link.schema.ts";
import {
  columnsOf,
  requireOptions,
  destinationsOf,
  assertEndsAfterStart,
  storedDestinationsOf,
} from "./options.ts";
import { requireRevision, entityTagsIn, etagOf } from "./revision.ts";
import { bytesOf } from "../redirects/link-bytes.ts";

const { url: urlField, ...otherFields } = changeFields;
const shape = { id: z.string(), url: urlField, slug: slugInput.optional(), ...otherFields };
const fields = changesOf(shape, linkSchema, { destination: "url" });

/** Changes the given fields, all of them or none. */
export const updateLink = accountProcedure
  .meta({
    scope: "links:write",
    route: "PUT /v1/links/{id}",
    tag: "Links",
    summary: "Update a link",
    example: { title: "Another title" },
    description: `Only the given fields change; null clears ${new Intl.ListFormat("en-GB").format(["title", "notes", "tags", "qr", ...Object.keys(optionInputs)])}. A link can be sent back as it was read: \`destination\` is used if \`url\` is missing, and read-only fields are ignored.`,
    successDescription: "The updated link",
    hasETag: true,
    errors: [404, 409, 429],
  })
  .use(async ({ getRawInput, next }) => next({ ctx: { urlName: urlNameOf(await getRawInput()) } }))
  .input(fields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    const { id, slug } = input;
    const link = await findLink(ctx, id);
    assertEnabled("link", link);
    const ifMatch = entityTagsIn(ctx.ifMatch);
    if (ifMatch !== undefined) requireRevision(ifMatch, await toLink(ctx, link));
    const destinations = addedTo(storedDestinationsOf(link), destinationsOf(input, ctx.urlName));
    await checkEach(
      () => requireOptions(ctx, input, link),
      () => assertEndsAfterStart(input, link),
      () => assertNotOwnHost(ctx.deps, destinations),
      () => assertNotBlocked(ctx.deps.screening, destinations),
    );
    const assertMayHandOver = await requireHandOver(ctx, input.created_by, link.made_by);
    assertMayHandOver(link);
    const changes = { ...(slug !== undefined && { slug }), ...(await changesIn(ctx, input)) };
    const tags = input.tags === null ? [] : input.tags;
    if (Object.keys(changes).length === 0 && tags === undefined) return answer(link);
    const before = tags && { tags: (await tagsOf(ctx.deps.pool, [id])).get(id) ?? [] };
    const bytes = bytesOf({ ...link, ...changes, tags }) - bytesOf({ ...link, ...before });
    const { domain_id } = link;
    await ctx.deps.storage.reserve(ctx.actor, { links: 0, bytes }, write).catch(async (error: unknown) => {
      throw await slugUpdateError(ctx.deps, error, { id, domain_id, slug });
    });
    ctx.deps.invalidate(link);
    if (slug !== undefined) ctx.deps.invalidate({ domain_id, slug });
    return answer(await readAgain());

    async function answer(row: LinkRow) {
      const updated = await toLink(ctx, row);
      ctx.reply.etag = etagOf(updated);
      return updated;
    }

    /** Throws if the destinations make a loop, or the link was just deleted, disabled or, with tags in If-Match, changed. */
    async function write(): Promise<void> {
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        if (await tryToWrite()) return;
        await assertNoLoops(ctx.deps, ctx.account.id, destinations);
        const now = await readAgain();
        if (ifMatch !== undefined) requireRevision(ifMatch, await toLink(ctx, now));
      }
      throw concurrentChange();
    }

    async function tryToWrite(): Promise<boolean> {
      const change = changeBy(ctx);
      const allowed = whereNoLoop(ctx.account.id, destinations);
      const unchanged = ifMatch !== undefined && {
        [raw("date_trunc('milliseconds', updated_at)")]: link.updated_at,
      };
      const where = { id, disabled_at: null, ...allowed, ...unchanged, ...settingContext(change) };
      const all = { ...changes, updated_at: change.at };
      const written = await (tags
        ? inTransaction(ctx, async (database, em) => {
            const count = await em.nativeUpdate(LinkEntity, where, all);
            if (count === 0) return 0;
            await requireRoomForTags(database, ctx.account.id, tags);
            await setTags(database, ctx.account.id, [{ id, tags }]);
            return count;
          })
        : ctx.em.nativeUpdate(LinkEntity, where, all));
      return written > 0;
    }

    async function readAgain() {
      ctx.em.clear();
      const found = await findLink(ctx, id);
      assertEnabled("link", found);
      return found;
    }
  });

/** The caller's name for the new destination, for errors. */
const urlNameOf = (sent: unknown): "url" | "destination" =>
  typeof sent === "object" && sent !== null && Object.hasOwn(sent, "url") ? "url" : "destination";

/** Sets the context of the change, as a part of an ORM `where` that is always true. */
const settingContext = (change: Change) => ({
  [raw(`${setChangeContext("?")} <> ''`, [contextOf(change)])]: [],
});

export type ChangedColumns = Awaited<ReturnType<typeof changesIn>>;

/**
 * The columns that an input changes, besides the slug; its tags are in another table. Hashes a password, for which the
 * account may have to wait (429).
 */
export const changesIn = async (
  ctx: Call,
  { url, title, is_active, notes, qr, created_by, ...options }: LinkChanges,
) => ({
  ...(url !== undefined && { destination: url }),
  ...(title !== undefined && { title }),
  ...(notes !== undefined && { notes }),
  ...(qr !== undefined && { qr }),
  ...(created_by !== undefined && { made_by: created_by }),
  ...(is_active !== undefined && { is_active: Boolean(is_active) }),
  ...(await columnsOf(ctx, options)),
});
