import { isAscii } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { toHostName } from "./host-name.ts";
import { type HostSet, HostSetBuilder } from "./host-set.ts";

interface HostList {
  hosts: HostSet;
  /** Lines in no known format */
  skippedLines: number;
}

/** A file that is not a host list, such as an error page saved as one. */
export class BrokenHostList extends Error {
  readonly code = "BROKEN_HOST_LIST";
}

/** Far above any real list: ten million names are some 300 MB. */
const maxFileBytes = 400 * 2 ** 20;
/** Parsing a block takes about a millisecond. A longer line names no host. */
const blockBytes = 16 * 1024;
/** Bytes of ASCII that a byte of an internationalized name can become, with room to spare */
const maxExpansion = 8;
const newline = 10;

/** Reads a host list; other work gets a turn after each block. Throws if the file is unreadable or not a host list. */
export async function readHostList(path: string, signal?: AbortSignal): Promise<HostList> {
  const file = await open(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new BrokenHostList("it is not a file");
    if (stats.size > maxFileBytes) throw new BrokenHostList(`it has more than ${maxFileBytes} bytes`);
    return await parse(file, new HostSetBuilder((stats.size + blockBytes) * maxExpansion), signal);
  } finally {
    await file.close();
  }
}

async function parse(file: FileHandle, builder: HostSetBuilder, signal?: AbortSignal): Promise<HostList> {
  let lines = 0;
  let skippedLines = 0;
  let entries = 0;
  await forEachLine(file, signal, (line) => {
    const hosts = line === null ? null : hostsOfLine(line);
    lines += 1;
    if (hosts === null) skippedLines += 1;
    for (const host of hosts ?? []) {
      builder.add(host);
      entries += 1;
    }
  });
  if (lines === 0) throw new BrokenHostList("it is empty");
  if (entries === 0 && skippedLines > 0) throw new BrokenHostList("none of its lines names a host");
  return { hosts: await builder.build(), skippedLines };
}

/** Calls `work` with each line, or with null in place of one that is longer than a block. */
async function forEachLine(
  file: FileHandle,
  signal: AbortSignal | undefined,
  work: (line: string | null) => void,
): Promise<void> {
  const block = Buffer.allocUnsafeSlow(blockBytes);
  /** Bytes at the block's start of a line whose end was not read yet */
  let kept = 0;
  let isOverlong = false;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(block, kept, blockBytes - kept);
    const read = block.subarray(0, kept + bytesRead);
    if (read.includes(0)) throw new BrokenHostList("it is a binary file");
    const end = bytesRead === 0 ? read.length : read.lastIndexOf(newline) + 1;
    if (end > 0) {
      for (const line of linesIn(read.subarray(0, end))) {
        work(isOverlong ? null : line);
        isOverlong = false;
      }
    }
    if (bytesRead === 0) return;
    kept = block.copy(block, 0, end, read.length);
    if (kept === blockBytes) {
      isOverlong = true;
      kept = 0;
    }
  }
}

function linesIn(bytes: Buffer): string[] {
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** The addresses that a hosts file blocks a name with; any other maps the name to a machine. */
const sinkholeEntry = /^(?:0\.0\.0\.0|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1?)[ \t]+/;
/** Rules with a path, or with options that limit them to some requests, do not block a host. */
const adBlockRule = /^\|\|([^\s/^$|]+)\^(?:\$(?:(?:all|doc|document|important|popup)(?:,|$))+)?$/;
const localNames = new Set(["localhost.localdomain", "0.0.0.0"]);

/**
 * Returns the hosts that a line of a host list names: none for a comment or a blank line, null where it is in none of
 * the three formats, which are a hosts file's (`0.0.0.0 bad.example`), a plain name or wildcard (`bad.example`,
 * `*.bad.example`), and an ad blocker's (`||bad.example^`). A wildcard stands for the domain as well.
 */
export function hostsOfLine(line: string): string[] | null {
  const text = withoutComment(line.trim());
  if (text === "") return [];
  const rule = adBlockRule.exec(text);
  if (rule?.[1] !== undefined) return toHostNames([withoutWildcard(rule[1])]);
  const address = sinkholeEntry.exec(text);
  if (address !== null) {
    const names = text.slice(address[0].length).split(/[ \t]+/);
    // This machine's own names, such as localhost and ip6-loopback, mostly have no dot.
    return toHostNames(names.filter((name) => name.includes(".") && !localNames.has(name)));
  }
  const domain = withoutWildcard(text);
  // A bare word names no host; a wildcard may stand below a top-level domain.
  return domain === text && !domain.includes(".") ? null : toHostNames([domain]);
}

function withoutComment(text: string): string {
  if (text.startsWith("!") || text.startsWith("#") || text.startsWith("[")) return "";
  const hash = text.indexOf("#");
  return hash > 0 && /\s/.test(text.charAt(hash - 1)) ? text.slice(0, hash).trimEnd() : text;
}

const withoutWildcard = (name: string) => name.replace(/^\*?\./, "");

function toHostNames(names: readonly string[]): string[] | null {
  const hosts = names.map(toHostName);
  return hosts.every((host) => host !== null) ? hosts : null;
}
