import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { isAlive, self } from "../../clicks/log/segment-name.ts";
import { refusal } from "../../kernel/errors.ts";
import { syncFolder } from "../../kernel/async/watched-file.ts";
import { inMembers, type Member, tarOf } from "./archive.ts";
import { backupFormat, type Contents, type Digest, type Manifest, type TableChecksum } from "./manifest.ts";

/** The description of a file: everything not copied from the database. */
export interface Label {
  program: string;
  createdAt: Date;
  settings: Readonly<Record<string, string>>;
}

const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/**
 * Writes contents to a new file that only its owner can read. It gets its name when it is complete and on the disk.
 * @throws {AppError} if the file exists already, or its folder does not
 */
export async function writeBackup(
  contents: Contents,
  file: string,
  label: Label,
  signal: AbortSignal | undefined,
): Promise<Manifest & { file_bytes: number }> {
  await assertNew(file);
  await requireFolder(dirname(file));
  await deleteAbandoned(dirname(file));
  const { pid, started, machine } = self;
  const unfinished = `${file}.${randomUUID().slice(0, 8)}-${pid}-${started}-${machine}.part`;
  let manifest: Manifest | undefined;
  try {
    const members = async function* () {
      manifest = yield* membersOf(contents, label);
    };
    const out = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(tarOf(members(), label.createdAt), createZstdCompress(compression), out, { signal });
    const { size } = await stat(unfinished);
    // Taken before it is replaced: renaming alone would replace a file created in the meantime.
    const name = await open(file, "wx", 0o600).catch(async (error: unknown) => {
      await assertNew(file);
      throw error;
    });
    await name.close();
    await rename(unfinished, file).catch(async (error: unknown) => {
      await rm(file, { force: true });
      throw error;
    });
    await syncFolder(dirname(file));
    return { ...(manifest as Manifest), file_bytes: size };
  } finally {
    await rm(unfinished, { force: true });
  }
}

const unfinishedName = /\.[0-9a-f]{8}-(\d+)-(\d+)-([0-9a-f]{8})\.part$/;
/** Milliseconds without a write, after which a file of a process elsewhere is abandoned */
const abandonedMs = 3_600_000;

/** Deletes leftovers of killed backups in a folder. */
async function deleteAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid, started, machine = ""] = unfinishedName.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (!file) continue;
    const owner = { pid: Number(pid), started: Number(started), machine };
    const isWritten = Date.now() - file.mtimeMs < abandonedMs;
    if (owner.machine === self.machine ? isAlive(owner, Date.now()) : isWritten) continue;
    await rm(path, { force: true });
  }
}

async function assertNew(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return;
  const message = `${file} exists already: choose another name`;
  throw refusal("CONFLICT", "", "file_exists", message, { file });
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code !== "ENOENT");
  if (found) return;
  const message = `${folder} does not exist: create it first`;
  throw refusal("NOT_FOUND", "", "not_found", message, { resource: "folder", folder });
}

/** Yields the members of the archive, and returns its manifest. */
async function* membersOf(
  contents: Contents,
  { program, createdAt, settings }: Label,
): AsyncGenerator<Member, Manifest> {
  const json = (name: string, value: object): Member => ({
    name,
    content: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
  });
  const about = { format: backupFormat, program, created_at: createdAt.toISOString() };
  yield json("about.json", about);
  const digests = new Map<string, Digest>();
  for await (const { table, rows } of contents.rows()) {
    digests.set(table.name, yield* inMembers(`tables/${table.name}`, rows));
  }
  const segments: Manifest["segments"] = [];
  for await (const { id, from, clicks, bytes } of contents.segments()) {
    const digest = yield* inMembers(`clicks/${segments.length}`, [bytes]);
    segments.push({ id, from, clicks, ...digest });
  }
  const checksums = await contents.checksums();
  const manifest: Manifest = {
    ...about,
    migrations: [...contents.migrations],
    settings: { ...settings },
    tables: contents.tables.map((table) => ({
      ...table,
      ...(checksums.tables.get(table.name) as TableChecksum),
      ...(digests.get(table.name) as Digest),
    })),
    sequences: { ...checksums.sequences },
    click_count: checksums.clickCount,
    segments,
  };
  yield json("manifest.json", manifest);
  return manifest;
}
