import { UserError } from "./user-error.ts";

/** A listener could not bind its address. The message is one line: what is wrong and which setting to change. */
export class ListenError extends UserError {
  override readonly name = "ListenError";
  /** The system error code, such as `EADDRINUSE`. */
  readonly code: string;

  constructor(
    address: { name: string; host: string; port: number; portSetting: string },
    cause: NodeJS.ErrnoException,
  ) {
    super(`${address.name}: ${remedyFor(address, cause)}`, { cause });
    this.code = cause.code ?? "UNKNOWN";
  }
}

function remedyFor(
  { host, port, portSetting }: { host: string; port: number; portSetting: string },
  { code, message }: NodeJS.ErrnoException,
): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is already in use: set ${portSetting} to a free port, or stop the other process`;
    case "EACCES":
      return `port ${port} on ${host} requires more privileges: set ${portSetting} to 1024 or above`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine: set HOST to one that is, such as 127.0.0.1`;
    default:
      return `cannot listen on ${host} port ${port} (${message}): check HOST and ${portSetting}`;
  }
}
