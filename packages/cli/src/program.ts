import type { Command, Group, Program } from "./command.ts";

const wordsOf = ({ name }: { name: string }) => name.split(" ").length;
const isWithin = (name: string, words: string) => words === "" || `${name} `.startsWith(`${words} `);

/** The member with the longest name that the arguments begin with, and the arguments after it. */
export function named<T extends { name: string }>(
  members: readonly T[],
  argv: readonly string[],
): { member: T | undefined; rest: string[] } {
  const [member] = members
    .filter(({ name }) => isWithin(argv.join(" "), name))
    .toSorted((left, right) => wordsOf(right) - wordsOf(left));
  return { member, rest: argv.slice(member ? wordsOf(member) : 0) };
}

/** What can follow these words: commands, and groups in the place of their commands. */
export function membersOf({ commands, groups }: Program, words: string): (Command | Group)[] {
  const depth = words === "" ? 0 : words.split(" ").length;
  const members = commands
    .filter(({ name }) => name !== words && isWithin(name, words))
    .map((command) => {
      const group = groups.find((each) => wordsOf(each) === depth + 1 && isWithin(command.name, each.name));
      return group ?? command;
    });
  return [...new Set(members)];
}

/** The word that leads to each member, and what that does. */
export function nextWords(program: Program, words: string): [word: string, summary: string][] {
  const depth = words === "" ? 0 : words.split(" ").length;
  const next = new Map<string, string>();
  for (const { name, summary } of membersOf(program, words)) {
    const word = name.split(" ")[depth] ?? "";
    if (!next.has(word)) next.set(word, summary);
  }
  return [...next];
}

/** Every beginning of a command that is more than nothing and less than the whole. */
export const beginnings = ({ commands }: Program): string[] => [
  ...new Set(
    commands.flatMap(({ name }) => {
      const words = name.split(" ");
      return words.slice(1).map((_, at) => words.slice(0, at + 1).join(" "));
    }),
  ),
];
