/** Values that a database of places can have. */
export type MmdbValue = string | number | readonly MmdbValue[] | { readonly [name: string]: MmdbValue };

/**
 * Makes a database of IPv6 and IPv4 networks in MaxMind's format
 * (https://maxmind.github.io/MaxMind-DB/), such as `[["81.2.69.0/24", { country: { iso_code: "GB" } }]]`.
 */
export function mmdb(
  networks: readonly (readonly [network: string, value: MmdbValue])[],
  type = "Test-City",
): Buffer {
  /** Each node has what follows after the bits 0 and 1: a node, a value (from -2 downwards), or -1 for nothing. */
  const nodes: [number, number][] = [[-1, -1]];
  const values: Buffer[] = [];
  for (const [network, value] of networks) {
    const bits = bitsOf(network);
    let node = 0;
    for (const bit of bits.slice(0, -1)) {
      const pair = nodes[node] as [number, number];
      if (pair[bit] < 0) pair[bit] = nodes.push([-1, -1]) - 1;
      node = pair[bit];
    }
    (nodes[node] as [number, number])[bits.at(-1) as 0 | 1] = -2 - (values.push(encode(value)) - 1);
  }
  const places: number[] = [];
  let length = 0;
  for (const value of values) {
    places.push(length);
    length += value.length;
  }
  const separator = Buffer.alloc(16);
  const record = (next: number) =>
    next >= 0 ? next : nodes.length + (next === -1 ? 0 : separator.length + (places[-2 - next] as number));
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [at, [zero, one]] of nodes.entries()) {
    tree.writeUInt32BE(record(zero), at * 8);
    tree.writeUInt32BE(record(one), at * 8 + 4);
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_767_225_600,
    database_type: type,
    description: {},
    ip_version: 6,
    languages: ["en"],
    node_count: nodes.length,
    record_size: 32,
  });
  const mark = Buffer.from("\xAB\xCD\xEFMaxMind.com", "latin1");
  return Buffer.concat([tree, separator, ...values, mark, metadata]);
}

/** IPv4 addresses are those of ::/96. */
function bitsOf(network: string): (0 | 1)[] {
  const [address = "", prefix = ""] = network.split("/");
  const isV4 = !address.includes(":");
  const [head = "", tail] = address.split("::");
  const groups = (text = "") => text.split(":").filter((group) => group !== "");
  const hex = isV4
    ? address
        .split(".")
        .map((byte) => Number(byte).toString(16).padStart(2, "0"))
        .join("")
        .padStart(32, "0")
    : [...groups(head), ...Array(8 - groups(head).length - groups(tail).length).fill("0"), ...groups(tail)]
        .map((group: string) => group.padStart(4, "0"))
        .join("");
  const all = Array.from(BigInt(`0x${hex}`).toString(2).padStart(128, "0"), (bit) => (bit === "1" ? 1 : 0));
  return all.slice(0, Number(prefix) + (isV4 ? 96 : 0));
}

const types = { string: 2, uint32: 6, map: 7, array: 11 };

function encode(value: MmdbValue): Buffer {
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(types.string, bytes.length), bytes]);
  }
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(types.uint32, 4), bytes]);
  }
  if (Array.isArray(value))
    return Buffer.concat([
      control(types.array, value.length),
      ...value.map((each: MmdbValue) => encode(each)),
    ]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(types.map, entries.length),
    ...entries.flatMap(([name, each]) => [encode(name), encode(each)]),
  ]);
}

/** The type and size before a value; sizes up to 284. */
function control(type: number, size: number): Buffer {
  const short = Math.min(size, 29);
  const head = type < 8 ? [(type << 5) | short] : [short, type - 7];
  return Buffer.from(size < 29 ? head : [...head, size - 29]);
}
