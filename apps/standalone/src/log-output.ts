/** Standard output for log lines; holds them back until the banner stands above them. */
export class LogOutput {
  #held: string[] | null = [];

  write(line: string): void {
    if (this.#held) this.#held.push(line);
    else process.stdout.write(line);
  }

  /** From now on lines go out as they come, those held back first. */
  release(): void {
    if (this.#held) process.stdout.write(this.#held.join(""));
    this.#held = null;
  }
}
