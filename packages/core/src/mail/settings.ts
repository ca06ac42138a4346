import * as z from "zod";

/** What is wrong with the URL of a mail server, or null. It may have a password, which no message shows. */
export function smtpUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  const example = "such as smtps://name:password@mail.example.com:465";
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "")
    return `must be the URL of a mail server, ${example}`;
  if ((url.pathname !== "" && url.pathname !== "/") || url.search !== "" || url.hash !== "")
    return `must have nothing after the port, ${example}`;
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    return "must have its name and password percent-encoded: % is written %25";
  }
  if (url.username === "" && url.password !== "") return "must have a name before its password";
  return null;
}

/** The sender of all mails. */
export interface Sender {
  name: string;
  address: string;
}

/** The sender in `MAIL_FROM`: an address, or `Name <address>`; null for anything else. */
export function parseSender(text: string): Sender | null {
  if (/[\u0000-\u001F\u007F]/.test(text)) return null;
  const [, name = "", bracketed, bare] =
    /^\s*(?:"?([^"<>]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))\s*$/.exec(text) ?? [];
  const address = z.email().safeParse(bracketed ?? bare);
  return address.success ? { name: name.trim(), address: address.data } : null;
}

/** Whether a server is on this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
