import { purposeHeaders } from "@terse/core/redirect";

/** What the hot path reads of a request's head; undefined where a header is not there. */
export interface Head {
  host: string | undefined;
  userAgent: string | undefined;
  referrer: string | undefined;
  requestId: string | undefined;
  /** Somebody has to look closer: this may be no person's click, or a header is there twice */
  special: boolean;
}

const purposes: ReadonlySet<string> = new Set(purposeHeaders);
/** True at the lengths of the names that are read. Few others have one of them: only those are put into lower case. */
const lengths: boolean[] = Array.from({ length: 32 }, () => false);
for (const name of ["host", "user-agent", "referer", "x-request-id", ...purposes])
  lengths[name.length] = true;

/**
 * Reads a raw header list (name, value, name, value …) in one pass. Node's own `headers` builds an object with every
 * header in lower case first, which costs more than all the rest of a redirect.
 */
export function readHead(raw: readonly string[]): Head {
  const head: Head = {
    host: undefined,
    userAgent: undefined,
    referrer: undefined,
    requestId: undefined,
    special: false,
  };
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const written = raw[at] as string;
    if (lengths[written.length] !== true) continue;
    const name = written.toLowerCase();
    const value = raw[at + 1] as string;
    switch (name) {
      case "host": // never twice: such a request was refused
        head.host = value;
        break;
      case "user-agent":
        head.special ||= head.userAgent !== undefined;
        head.userAgent = value;
        break;
      case "referer":
        head.special ||= head.referrer !== undefined;
        head.referrer = value;
        break;
      case "x-request-id":
        head.special ||= head.requestId !== undefined;
        head.requestId = value;
        break;
      default:
        head.special ||= purposes.has(name);
    }
  }
  return head;
}
