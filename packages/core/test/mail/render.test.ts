import { describe, expect, it } from "vitest";
import { type Mail, mailLanguages } from "../../src/mail/mail.types.ts";
import { plainText, renderMail } from "../../src/mail/render.ts";
import { parseSender, smtpUrlProblem } from "../../src/mail/settings.ts";

const hostile = 'Ada <b>"x"</b>\r\nBcc: all@example.org https://evil.example/a \u202Egnp.exe';
const at = "2026-11-28T05:00:00.000Z";
const mails: Mail[] = [
  { kind: "sign_in", data: { client: hostile }, secret: { code: "123456", token: "tok" } },
  {
    kind: "invitation",
    data: { workspace: hostile, inviter: hostile, role: "editor", days: 7 },
    secret: { path: "/invite/tok" },
  },
  ...(["key_created", "passkey_added", "new_place"] as const).map(
    (event): Mail => ({
      kind: "security",
      data: { event, about: hostile, at, network: "192.0.2.0/24", client: null, path: "/settings/keys" },
    }),
  ),
  ...(["silence", "surge"] as const).map(
    (kind): Mail => ({
      kind: "alert_fired",
      data: { name: hostile, kind, clicks: 1234, usual: 12, hours: 24, path: "/analytics" },
    }),
  ),
  { kind: "domain_failed", data: { domain: "go.example.com", path: "/domains" } },
  ...[true, false].map(
    (isGone): Mail => ({ kind: "webhook_off", data: { host: hostile, isGone, path: "/settings/webhooks" } }),
  ),
  { kind: "job_ended", data: { job: hostile, status: "failed", done: 5, failed: 1, path: "/changes" } },
  {
    kind: "report",
    data: {
      frequency: "weekly",
      from: "2026-11-16",
      to: "2026-11-22",
      sections: [
        {
          workspace: "01900000-0000-7000-8000-000000000000",
          name: hostile,
          tag: hostile,
          path: "/analytics?from=2026-11-16",
          clicks: 1234,
          change: 0.05,
          lists: [
            {
              kind: "rising",
              lines: [
                { name: hostile, count: 1000, before: 4, path: "/analytics?link_id=1" },
                { name: null, count: 7, path: "/?health=broken" },
              ],
            },
          ],
        },
      ],
    },
  },
];
const options = {
  baseUrl: "https://app.example.com/",
  unsubscribeUrl: "https://app.example.com/mail/unsubscribe?token=t",
};

describe.each(mailLanguages)("mails in %s", (language) => {
  it.each(mails.map((mail) => [mail.kind, mail] as const))(
    "%s: one line of subject, no markup, address or remote content by others",
    (kind, mail) => {
      const secret = "secret" in mail ? mail.secret : null;
      const { subject, text, html } = renderMail({ kind, language, data: mail.data, secret }, options);
      expect(subject).not.toMatch(/[\r\n\u202E]/);
      expect(`${subject}${text}${html}`).not.toMatch(/undefined|\[object|evil\.example|all@example\.org/);
      expect(html).not.toMatch(/<b>|<img|<script|<link|src=|url\(|@import/);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain("prefers-color-scheme:dark");
      const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
      expect(targets.every((href) => href.startsWith("https://app.example.com/"))).toBe(true);
      const canBeSwitchedOff = !["sign_in", "invitation", "security"].includes(kind);
      expect(text.includes("/mail/unsubscribe?")).toBe(canBeSwitchedOff);
      expect(text.split("\n").every((line) => !line.startsWith("Bcc:"))).toBe(true);
    },
  );

  it("show the secret only while it is there", () => {
    const data = { client: null };
    const shown = renderMail(
      { kind: "sign_in", language, data, secret: { code: "123456", token: "tok" } },
      options,
    );
    expect(shown.text).toMatch(/123456[^]*\/auth\/email\?token=tok/);
    expect(renderMail({ kind: "sign_in", language, data, secret: null }, options).text).toContain("••••••");
  });
});

it("names keep their letters; only what would be an address gets a break without width", () => {
  expect(plainText("  Zoë O'Neil & Söhne 株式会社  ")).toBe("Zoë O'Neil & Söhne 株式会社");
  expect(plainText("a.b.example")).toBe("a.\u2060b.\u2060example");
  expect(plainText("x".repeat(500))).toHaveLength(200);
});

it.each([
  ["smtps://name:pass%40@mail.example.com:465", null],
  ["smtp://mail.example.com", null],
  ["http://mail.example.com", /must be the URL of a mail server/],
  ["mail.example.com:25", /must be the URL of a mail server/],
  ["smtp://mail.example.com/?pool=true", /nothing after the port/],
  ["smtp://a:100%@mail.example.com", /percent-encoded/],
  ["smtp://:secret@mail.example.com", /a name before its password/],
])("the server %s", (url, problem) => {
  if (problem === null) expect(smtpUrlProblem(url)).toBeNull();
  else expect(smtpUrlProblem(url)).toMatch(problem);
});

it.each([
  ["terse@example.com", { name: "", address: "terse@example.com" }],
  ["Terse <terse@example.com>", { name: "Terse", address: "terse@example.com" }],
  ['"Terse, Inc." <terse@example.com>', { name: "Terse, Inc.", address: "terse@example.com" }],
  ["Terse", null],
  ["a@example.com, b@example.com", null],
  ["Terse <a@example.com>\r\nBcc: <b@example.com>", null],
])("the sender %s", (text, sender) => {
  expect(parseSender(text)).toEqual(sender);
});
