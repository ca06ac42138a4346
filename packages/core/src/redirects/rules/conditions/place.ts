import { refused } from "../../../kernel/validation/issues.ts";
import * as z from "zod";
import { type Continent, continentOf, continents } from "../../../clicks/derive/countries.ts";
import { type Address, parseAddress } from "../../../kernel/addresses.ts";
import { countryInput } from "../geo.ts";
import { anyOf, defineCondition, listOf, namedIn, oneAmong } from "./condition.ts";

export const country = oneAmong({
  name: "country",
  word: "country",
  description: "Countries",
  input: listOf(countryInput, 250),
  output: z.array(z.string()),
  factOf: (facts) => facts.country,
});

export const continent = oneAmong({
  name: "continent",
  word: "continent",
  description: `Continents: ${continents.join(", ")}`,
  input: listOf(namedIn<Continent>(continents, "EU"), 7),
  output: z.array(z.enum(continents)),
  factOf: (facts) => continentOf(facts.country),
});

/** An address, of IPv6 only the groups that count, and how many of its first bits count. */
interface Block {
  address: Address;
  prefix: number;
}

const blockInput = z
  .string()
  .trim()
  .refine(
    (text) => parseBlock(text) !== null,
    refused("invalid_format", "must be an address or a block (CIDR), such as 192.0.2.0/24 or 2001:db8::/32", {
      format: "address_block",
      example: "192.0.2.0/24",
    }),
  )
  .meta({ examples: ["192.0.2.0/24"] });

export const ip = defineCondition({
  name: "ip",
  description: "CIDR blocks",
  input: listOf(blockInput, 50),
  output: z.array(z.string()),
  compile(texts) {
    const blocks = texts.map(parseBlock).filter((block) => block !== null);
    return (facts) => blocks.some((block) => facts.address !== null && isIn(facts.address, block));
  },
  whyNot: (texts, facts) =>
    facts.address === null
      ? "the visitor's address is not known"
      : `the visitor's address is not in ${anyOf(texts)}`,
});

/** Null if the text is neither an address nor a block. IPv4 written as IPv6 is IPv4. */
function parseBlock(text: string): Block | null {
  const [, written = "", length] = /^([\da-f:.]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const address = parseAddress(written);
  if (address === null) return null;
  const bits = written.includes(":") ? 128 : 32;
  const size = typeof address === "number" ? 32 : 128;
  const prefix = length === undefined ? size : Number(length) - (bits - size);
  if (prefix < 0 || prefix > size) return null;
  const start = typeof address === "number" ? address : address.slice(0, Math.ceil(prefix / 16));
  return { address: start, prefix };
}

function isIn(address: Address, { address: start, prefix }: Block): boolean {
  if (typeof address === "number" || typeof start === "number") {
    return typeof address === "number" && typeof start === "number" && isSame(address, start, 32, prefix);
  }
  return start.every((group, at) => isSame(group, address[at] ?? 0, 16, prefix - 16 * at));
}

/** Compares the first `count` bits of two numbers of `size` bits. Shifting by 32 would shift by nothing. */
const isSame = (left: number, right: number, size: number, count: number): boolean =>
  count <= 0 || left >>> Math.max(size - count, 0) === right >>> Math.max(size - count, 0);
