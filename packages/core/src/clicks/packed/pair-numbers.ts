const free = -1;

/** Numbers pairs of 32-bit integers from 0, in the order in which they come: a hash table in typed arrays. */
export class PairNumbers {
  /** By position: the number of the pair there */
  #numbers = new Int32Array(128).fill(free);
  /** By number */
  #first = new Int32Array(64);
  #second = new Int32Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  numberOf(first: number, second: number): number {
    const mask = this.#numbers.length - 1;
    let at = hash(first, second) & mask;
    for (let number = this.#numbers[at] as number; number !== free; number = this.#numbers[at] as number) {
      if (this.#first[number] === first && this.#second[number] === second) return number;
      at = (at + 1) & mask;
    }
    if (this.#size === this.#first.length) {
      this.#grow();
      return this.numberOf(first, second);
    }
    const number = this.#size++;
    this.#numbers[at] = number;
    this.#first[number] = first;
    this.#second[number] = second;
    return number;
  }

  first(number: number): number {
    return this.#first[number] as number;
  }

  second(number: number): number {
    return this.#second[number] as number;
  }

  #grow(): void {
    const length = this.#first.length * 2;
    const [first, second] = [new Int32Array(length), new Int32Array(length)];
    first.set(this.#first);
    second.set(this.#second);
    this.#first = first;
    this.#second = second;
    const numbers = new Int32Array(length * 2).fill(free);
    const mask = numbers.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let at = hash(first[number] as number, second[number] as number) & mask;
      while (numbers[at] !== free) at = (at + 1) & mask;
      numbers[at] = number;
    }
    this.#numbers = numbers;
  }
}

function hash(first: number, second: number): number {
  const mixed = Math.imul(Math.imul(first, 0x85ebca6b) ^ second, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
