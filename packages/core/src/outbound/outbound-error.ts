/** Why a request got no answer. `message` is a sentence for the owner of the webhook or link. */
export class OutboundError extends Error {
  readonly kind: "dns" | "private" | "timeout" | "connection" | "stopped";

  constructor(kind: OutboundError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
