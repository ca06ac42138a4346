import { decoded } from "../../kernel/decoded.ts";

/** Words in a path or query that name something which a request would do. */
const actions =
  /unsub|optout|opt[_.-]out|(?:log|sign)[_.-]?(?:out|off)|delet|remov|destroy|purge|cancel|confirm|verif|activat|approv|reject|decline|accept|revoke|reset|redeem|invit|magic|checkout|abmeld|abbestell|austrag|l(?:ö|oe)sch|k(?:ü|ue)ndig|best(?:ä|ae)tig|stornier|widerruf|d[eé]sabonn|d[eé]sins?cri|supprim|annul|eliminar|cancell|disdici|uitschrijv|afmeld/;
/** Ends of the names of parameters that carry a one-time secret, or name an action */
const secrets = /(?:token|code|key|sig|signature|secret|otp|nonce|jwt|ticket|hash|auth|action|cmd|^do|^op)$/;
/** More is not looked at. Such a URL counts as an action. */
const maxLength = 2000;

/** Whether a GET request for this URL might do something, such as unsubscribe a reader: a robot must not send it. */
export function looksLikeAction({ pathname, search, searchParams }: URL): boolean {
  const text = pathname + search;
  return (
    text.length > maxLength ||
    actions.test(decoded(text).normalize("NFC").toLowerCase()) ||
    [...searchParams.keys()].some((name) => secrets.test(name.toLowerCase()))
  );
}
