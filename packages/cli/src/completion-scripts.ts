import { type Command, commonOptions, type Option } from "./command.ts";

type Commands = readonly Command[];

/** Names, choices and summaries of the commands have no quotes; this makes sure of it. */
const quoted = (text: string) => `'${text.replaceAll("'", "’")}'`;
const optionsOf = ({ options }: Command): [string, Option][] =>
  Object.entries({ ...options, ...commonOptions });

/** The scripts with which shells complete commands, options and their values. */
export const completionScripts = { bash, zsh, fish };

function bash(commands: Commands): string {
  const cases = commands.map((command) => {
    const words = [...optionsOf(command).map(([name]) => `--${name}`), ...(command.choices ?? [])].join(" ");
    return `    ${command.name}) words=${quoted(words)} ;;`;
  });
  return `_terse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(" "))} -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${valueCases(commands, ({ choices, isFile }) =>
  choices
    ? `words=${quoted(choices.join(" "))}`
    : isFile
      ? 'COMPREPLY=($(compgen -f -- "$current")); return'
      : "return",
)}
    *) case "\${COMP_WORDS[1]}" in
${cases.map((each) => `  ${each}`).join("\n")}
    esac ;;
  esac
  if [ "\${COMP_WORDS[1]}" = import ] && [ "\${current#-}" = "$current" ] && [ "$words" != "\${words#--}" ]; then
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -F _terse terse`;
}

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

function zsh(commands: Commands): string {
  const described = (name: string, { help, value, choices, isFile, multiple }: Option) => {
    const action = choices ? `(${choices.join(" ")})` : isFile ? "_files" : " ";
    return quoted(
      `${multiple ? "*" : ""}--${name}[${help.replaceAll(/[[\]]/g, "")}]${value ? `:${value}:${action}` : ""}`,
    );
  };
  const cases = commands.map((command) => {
    const first = command.choices
      ? quoted(`1:${command.args}:(${command.choices.join(" ")})`)
      : command.name === "import"
        ? quoted("1:FILE:_files")
        : quoted("*: :");
    const options = optionsOf(command).map(([name, option]) => described(name, option));
    return `    ${command.name}) _arguments ${[...options, first].join(" ")} ;;`;
  });
  return `#compdef terse
_terse() {
  local -a commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ")})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _terse terse`;
}

function fish(commands: Commands): string {
  const lines = commands.flatMap((command) => {
    const inCommand = quoted(`__fish_seen_subcommand_from ${command.name}`);
    return [
      `complete -c terse -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...(command.choices
        ? [`complete -c terse -n ${inCommand} -a ${quoted(command.choices.join(" "))}`]
        : []),
      ...(command.name === "import" ? [`complete -c terse -n ${inCommand} -F`] : []),
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
  return ["complete -c terse -f", ...lines].join("\n");
}
