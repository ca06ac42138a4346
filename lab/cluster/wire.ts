import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Address {
  host: string;
  port: number;
}

/** The way from one machine to a service of another, which can be cut as a network is: nothing arrives, nothing ends. */
export class Wire {
  readonly at: Address;
  #to: Address;
  #sockets = new Set<Socket>();
  #isCut = false;
  #server = createServer((near) => this.#join(near));

  constructor(at: Address, to: Address) {
    this.at = at;
    this.#to = to;
  }

  async open(): Promise<void> {
    await once(this.#server.listen(this.at.port, this.at.host), "listening");
  }

  cut(): void {
    this.#isCut = true;
  }

  /** New connections work; those from before are gone, as after a router has forgotten them. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket): void {
    this.#sockets.add(near);
    near.on("error", () => {}).on("close", () => this.#sockets.delete(near));
    if (this.#isCut) return;
    const far = connect(this.#to);
    this.#sockets.add(far);
    far.on("error", () => {}).on("close", () => this.#sockets.delete(far));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on("data", (bytes: Buffer) => void (this.#isCut || to.write(bytes)));
      from.on("close", () => void (this.#isCut || to.destroy()));
    }
  }
}
