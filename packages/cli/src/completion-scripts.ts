import { type Command, commonOptions, type Option, type Program } from "./command.ts";
import { beginnings, nextWords } from "./program.ts";

type Commands = readonly Command[];

/** Names, choices and summaries of the commands have no quotes; this makes sure of it. */
const quoted = (text: string) => `'${text.replaceAll("'", "’")}'`;
const optionsOf = ({ options }: Command): [string, Option][] =>
  Object.entries({ ...options, ...commonOptions });

/** The scripts with which shells complete commands, options and their values. */
export const completionScripts = { bash, zsh, fish };

/** Cases of a shell for the words before the current one, the longest name first: `setting` for each command. */
const namings = ({ commands }: Program, setting: (name: string) => string): string =>
  commands
    .map(({ name }) => name)
    .toSorted((left, right) => right.length - left.length)
    .map((name) => `    '${name} '*) ${setting(name)} ;;`)
    .join("\n");

/** Cases for words that begin a command and are none. */
const nextCases = (program: Program, setting: (next: [string, string][]) => string): string =>
  ["", ...beginnings(program)]
    .map((words) => `    '${words} ') ${setting(nextWords(program, words))} ;;`)
    .join("\n");

function bash(program: Program): string {
  const { commands } = program;
  const cases = commands.map((command) => {
    const words = [
      ...nextWords(program, command.name).map(([word]) => word),
      ...optionsOf(command).map(([name]) => `--${name}`),
      ...(command.choices ?? []),
    ].join(" ");
    return `    '${command.name}') words=${quoted(words)} ;;`;
  });
  return `_terse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words='' name=''
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1} "
  case "$typed" in
${namings(program, (name) => `name='${name}'`)}
  esac
  if [ -z "$name" ]; then
    case "$typed" in
${nextCases(program, (next) => `words=${quoted(next.map(([word]) => word).join(" "))}`)}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$name $before" in
${valueCases(commands, ({ choices, isFile }) =>
  choices
    ? `words=${quoted(choices.join(" "))}`
    : isFile
      ? 'COMPREPLY=($(compgen -f -- "$current")); return'
      : "return",
)}
    *) case "$name" in
${cases.map((each) => `  ${each}`).join("\n")}
    esac ;;
  esac
  case "$name:$current:$words" in
    ${takers(commands)
      .map((name) => `'${name}':[!-]*:*--*|'${name}'::*--*`)
      .join("|")}) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F _terse terse`;
}

/** Names of commands whose argument is a file. */
const takers = (commands: Commands): string[] =>
  commands.filter(({ args }) => /\bFILE\b/.test(args)).map(({ name }) => name);

/** A line for each option with a value: what can follow it. */
function valueCases(commands: Commands, follow: (option: Option) => string): string {
  return commands
    .flatMap((command) =>
      optionsOf(command)
        .filter(([, { value }]) => value)
        .map(([name, option]) => {
          const names = [`--${name}`, ...(option.short ? [`-${option.short}`] : [])];
          return `    ${names.map((each) => `"${command.name} ${each}"`).join("|")}) ${follow(option)} ;;`;
        }),
    )
    .join("\n");
}

function zsh(program: Program): string {
  const { commands } = program;
  const described = (name: string, { help, value, choices, isFile, multiple }: Option) => {
    const action = choices ? `(${choices.join(" ")})` : isFile ? "_files" : " ";
    return quoted(
      `${multiple ? "*" : ""}--${name}[${help.replaceAll(/[[\]]/g, "")}]${value ? `:${value}:${action}` : ""}`,
    );
  };
  const files = takers(commands);
  const cases = commands.map((command) => {
    const next = nextWords(program, command.name).map(([word]) => word);
    const first = command.choices
      ? quoted(`1:${command.args}:(${command.choices.join(" ")})`)
      : files.includes(command.name)
        ? quoted("1:FILE:_files")
        : quoted(next.length > 0 ? `1:COMMAND:(${next.join(" ")})` : "*: :");
    const options = optionsOf(command).map(([name, option]) => described(name, option));
    return `    '${command.name}') _arguments ${[...options, first].join(" ")} ;;`;
  });
  const list = (next: [string, string][]) =>
    `next=(${next.map(([word, summary]) => quoted(`${word}:${summary}`)).join(" ")})`;
  return `#compdef terse
_terse() {
  local -a next
  local typed="\${(j: :)words[2,CURRENT-1]} " name='' depth=0
  case "$typed" in
${namings(program, (name) => `name='${name}' depth=${name.split(" ").length}`)}
  esac
  if [[ -z "$name" ]]; then
    case "$typed" in
${nextCases(program, list)}
    esac
    _describe command next
    return
  fi
  shift $depth words
  (( CURRENT -= depth ))
  case "$name" in
${cases.join("\n")}
  esac
}
compdef _terse terse`;
}

function fish(program: Program): string {
  const { commands } = program;
  const files = takers(commands);
  const next = ["", ...beginnings(program)].flatMap((words) =>
    nextWords(program, words).map(
      ([word, summary]) => `complete -c terse -n '__terse_at "${words}"' -a ${word} -d ${quoted(summary)}`,
    ),
  );
  const lines = commands.flatMap((command) => {
    const inCommand = `'__terse_in "${command.name}"'`;
    return [
      ...(command.choices
        ? [`complete -c terse -n ${inCommand} -a ${quoted(command.choices.join(" "))}`]
        : []),
      ...(files.includes(command.name) ? [`complete -c terse -n ${inCommand} -F`] : []),
      ...optionsOf(command).map(([name, { help, short, value, choices, isFile }]) =>
        [
          `complete -c terse -n ${inCommand} -l ${name}`,
          short && `-s ${short}`,
          value && (isFile ? "-r -F" : "-x"),
          choices && `-a ${quoted(choices.join(" "))}`,
          `-d ${quoted(help)}`,
        ]
          .filter(Boolean)
          .join(" "),
      ),
    ];
  });
  return [
    "function __terse_at",
    "  set -l words (commandline -opc)",
    '  test "$words[2..]" = "$argv[1]"',
    "end",
    "function __terse_in",
    "  set -l words (commandline -opc)",
    '  string match -q -- "$argv[1] *" "$words[2..] "',
    "end",
    "complete -c terse -f",
    ...next,
    ...lines,
  ].join("\n");
}
