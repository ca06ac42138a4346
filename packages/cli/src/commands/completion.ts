import type { Command } from "../command.ts";
import { completionScripts } from "../completion-scripts.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completion: Command = {
  name: "completion",
  args: "SHELL",
  choices: shells,
  summary: "Print the completions for a shell",
  examples: [
    'eval "$(terse completion bash)"       # in ~/.bashrc',
    'eval "$(terse completion zsh)"        # in ~/.zshrc',
    "terse completion fish | source        # in ~/.config/fish/config.fish",
  ],
  async run({ args: [shell], terminal, program }) {
    terminal.draw(completionScripts[shell as (typeof shells)[number]](program));
  },
};
