import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/o200k_base";

const encoding = new Tiktoken(ranks);

/** How many tokens a model reads: those of one large vendor's current models. Others count a little differently. */
export const tokensOf = (value: unknown): number =>
  encoding.encode(typeof value === "string" ? value : JSON.stringify(value)).length;
