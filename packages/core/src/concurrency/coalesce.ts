/**
 * Who asks the same at the same time shares an answer, and none is older than its question: whoever comes while one is
 * being made waits, together with all others who do, for the one after it.
 */
export class Coalescer<T> {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<T>>();

  /** `make` is called when the answer's turn comes. A failure is for those who shared it. */
  run(question: string, make: () => Promise<T>): Promise<T> {
    const next = this.#next.get(question);
    if (next !== undefined) return next;
    const running = this.#running.get(question);
    if (running === undefined) return this.#run(question, make);
    const after = running.then(() => {
      this.#next.delete(question);
      return this.#run(question, make);
    });
    this.#next.set(question, after);
    return after;
  }

  #run(question: string, make: () => Promise<T>): Promise<T> {
    const answer = make();
    const end = () => void this.#running.delete(question);
    this.#running.set(question, answer.then(end, end));
    return answer;
  }
}
