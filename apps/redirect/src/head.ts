/** What the hot path reads of a request's head. */
export interface Head {
  host: string;
  user_agent: string;
  referrer: string;
  request_id: string | undefined;
  /** Some header says that this may be no person's click: somebody has to look closer */
  special: boolean;
}

/**
 * Reads a raw header list (name, value, name, value …) in one pass. Node's own `headers` builds an object with every
 * header in lower case first, which costs more than all the rest of a redirect.
 */
export function readHead(raw: readonly string[]): Head {
  const head: Head = { host: "", user_agent: "", referrer: "", request_id: undefined, special: false };
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    // Few names have one of these lengths; only they are spelled out in lower case.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === "host") head.host = raw[at + 1] as string;
        break;
      case 5:
      case 9:
      case 11:
        head.special ||= isPurpose(name);
        break;
      case 7: {
        if (name.toLowerCase() === "referer") head.referrer = raw[at + 1] as string;
        else head.special ||= isPurpose(name);
        break;
      }
      case 10:
        if (name.toLowerCase() === "user-agent") head.user_agent = raw[at + 1] as string;
        break;
      case 12:
        if (name.toLowerCase() === "x-request-id") head.request_id = raw[at + 1] as string;
        break;
      default:
    }
  }
  return head;
}

const purposes = new Set(["purpose", "sec-purpose", "x-purpose", "x-moz"]);
const isPurpose = (name: string) => purposes.has(name.toLowerCase());
