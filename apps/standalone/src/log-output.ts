/** Writes log lines to standard output, buffered until `release`, so that the banner comes first. */
export class LogOutput {
  #buffered: string[] | null = [];

  write(line: string): void {
    if (this.#buffered) this.#buffered.push(line);
    else process.stdout.write(line);
  }

  /** Writes the buffered lines; later lines are written at once. */
  release(): void {
    if (this.#buffered) process.stdout.write(this.#buffered.join(""));
    this.#buffered = null;
  }
}
