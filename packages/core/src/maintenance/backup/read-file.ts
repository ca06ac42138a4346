import { createHash, type Hash } from "node:crypto";
import type { z } from "zod";
import { refusal } from "../../kernel/errors.ts";
import { damaged, type Member, readArchive } from "./archive.ts";
import {
  type About,
  aboutSchema,
  backupFormat,
  type Contents,
  type Manifest,
  manifestSchema,
  type OnProgress,
  requireKnown,
  type SegmentContent,
  withProgress,
} from "./manifest.ts";

/**
 * Reads a whole file and compares it with its manifest, which it returns. Takes little memory, whatever the file's size.
 * @throws {AppError} if the file is not a backup, is damaged, or was made by a newer version
 */
export async function verifyBackup(file: string, onProgress: OnProgress = () => {}): Promise<Manifest> {
  const hashes = new Map<string, { hash: Hash; bytes: number }>();
  let about: About | undefined;
  let manifest: Manifest | undefined;
  for await (const { name, content } of readArchive(file)) {
    if (about === undefined) {
      if (name !== "about.json")
        throw refusal("UNPROCESSABLE_CONTENT", "", "invalid_file", "The file is not a backup", {
          reason: "no_backup",
        });
      about = aboutOf(content);
    } else if (name === "manifest.json") {
      manifest = parse(content, manifestSchema);
    } else {
      const folder = folderOf(name);
      const entry = hashes.get(folder) ?? { hash: createHash("sha256"), bytes: 0 };
      hashes.set(folder, entry);
      entry.hash.update(content);
      entry.bytes += content.length;
      onProgress({ step: `checking ${folder}`, bytes: entry.bytes });
    }
  }
  if (!manifest || manifest.created_at !== about?.created_at) throw damaged();
  const expected = [
    ...manifest.tables.map((table) => ({ folder: `tables/${table.name}`, ...table })),
    ...manifest.segments.map((segment, at) => ({ folder: `clicks/${at}`, ...segment })),
  ];
  const nothing = createHash("sha256").digest("hex");
  for (const { folder, bytes, sha256 } of expected) {
    const found = hashes.get(folder);
    if ((found?.bytes ?? 0) !== bytes || (found?.hash.digest("hex") ?? nothing) !== sha256) throw damaged();
    hashes.delete(folder);
  }
  if (hashes.size > 0) throw damaged();
  requireKnown(manifest.migrations);
  return manifest;
}

function aboutOf(content: Buffer): About {
  const { format } = parse(content, aboutSchema.pick({ format: true }));
  if (format > backupFormat) {
    throw refusal(
      "UNPROCESSABLE_CONTENT",
      "",
      "invalid_file",
      `The file has format ${format}, and this version reads formats up to ${backupFormat}: use the version that made it, or a newer one`,
      { reason: "newer_version", format, max: backupFormat },
    );
  }
  return parse(content, aboutSchema);
}

function parse<T>(content: Buffer, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(content.toString("utf8")));
  } catch (error) {
    throw damaged(error);
  }
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf("/"));

/** The contents of a file of which `verifyBackup` has returned the manifest. Read once, in the order of `Contents`. */
export function contentsOfFile(
  file: string,
  { migrations, tables, sequences, click_count, segments }: Manifest,
  onProgress: OnProgress = () => {},
): Contents {
  const contentOf = folderReader(readArchive(file));
  return {
    migrations,
    tables,
    async *rows() {
      for (const table of tables) {
        const rows = contentOf(`tables/${table.name}`);
        yield { table, rows: withProgress(rows, table.name, onProgress) };
      }
    },
    async *segments(): AsyncGenerator<SegmentContent, void> {
      for (const [at, { id, from, clicks }] of segments.entries()) {
        const pieces: Buffer[] = [];
        for await (const piece of contentOf(`clicks/${at}`)) pieces.push(piece);
        yield { id, from, clicks, bytes: Buffer.concat(pieces) };
      }
    },
    checksums: async () => ({
      tables: new Map(tables.map((table) => [table.name, table])),
      sequences,
      clickCount: click_count,
    }),
  };
}

/** Returns a function that yields the content of a folder, which may be empty. Folders are read in the order of the archive. */
function folderReader(members: AsyncGenerator<Member, void>) {
  let next: Member | undefined;
  return async function* contentOf(folder: string): AsyncGenerator<Buffer, void> {
    for (;;) {
      next ??= (await members.next()).value ?? undefined;
      if (next?.name === "about.json") next = undefined;
      else if (next && folderOf(next.name) === folder) {
        const { content } = next;
        next = undefined;
        yield content;
      } else return;
    }
  };
}
