import { joined, type MailWords, reportOf } from "../template.ts";

const roles: Readonly<Record<string, string>> = {
  viewer: "viewer",
  editor: "editor",
  admin: "admin",
  owner: "owner",
};

const jobs: Readonly<Record<string, string>> = {
  "links.update": "changing links",
  "links.delete": "deleting links",
  "links.undo": "undoing changes",
  "links.import": "importing links",
};

export const en: MailWords = {
  footer: (service) => `Sent by ${service}`,
  topics: { notices: "notices about alerts, domains, webhooks and jobs", reports: "reports" },
  unsubscribe: "Unsubscribe",
  sign_in: ({ code, token, client }) => ({
    subject: `Your sign-in code: ${code}`,
    blocks: [
      "Enter this code on the page where you asked for it. It is valid for ten minutes.",
      { code },
      "Or sign in with this button, on any device:",
      { button: "Sign in", path: `/auth/email?token=${token}` },
      `${client === null ? "" : `It was asked for with ${client}. `}If that was not you, ignore this mail, and give the code to no one: nobody from the service will ask for it.`,
    ],
  }),
  invitation: ({ workspace, inviter, role, days, path }) => ({
    subject: `${inviter} invites you to ${workspace}`,
    blocks: [
      `${inviter} invites you to the workspace “${workspace}” as ${roles[role] ?? role}.`,
      { button: "See the invitation", path },
      `The invitation ends in ${days} ${days === 1 ? "day" : "days"}. If you do not know ${inviter}, ignore this mail.`,
    ],
  }),
  security: ({ event, about, at, network, client, path }, { time }) => {
    const what = {
      key_created: { subject: "A new API key was created", text: `The API key “${about}” was created.` },
      passkey_added: {
        subject: "A passkey was added",
        text: `The passkey “${about}” can now sign in to your account.`,
      },
      new_place: {
        subject: "A sign-in from a new place",
        text: `Someone signed in to your account: ${about}.`,
      },
    }[event];
    return {
      subject: what.subject,
      blocks: [
        what.text,
        joined(" · ", time(at), client, network),
        "If that was you, there is nothing to do. If not, end what you do not know, and sign out everywhere:",
        { button: "Review the account", path },
      ],
    };
  },
  alert_fired: ({ name, kind, clicks, usual, hours, path }, { number }) => ({
    subject: `Alert: ${name}`,
    blocks: [
      kind === "silence"
        ? `The alert “${name}” fired: no clicks in the last ${number(hours)} hours.`
        : `The alert “${name}” fired: ${number(clicks)} clicks in the last ${number(hours)} hours${usual === null ? "" : `, usually ${number(usual)}`}.`,
      { button: "See the clicks", path },
    ],
  }),
  domain_failed: ({ domain, path }) => ({
    subject: `${domain} is no longer served`,
    blocks: [
      `The DNS records of ${domain} have been wrong for three days, or another account has verified the domain. Its short links no longer redirect.`,
      { button: "See the records", path },
    ],
  }),
  webhook_off: ({ host, isGone, path }) => ({
    subject: `The webhook to ${host} is off`,
    blocks: [
      isGone
        ? `${host} answered that the receiver is gone (410), so it gets no more events.`
        : `No delivery to ${host} has succeeded for three days, so it gets no more events.`,
      { button: "See the deliveries", path },
    ],
  }),
  job_ended: ({ job, status, done, failed, path }, { number }) => {
    const name = jobs[job] ?? "a job";
    return {
      subject: { done: `Done: ${name}`, failed: `Failed: ${name}`, cancelled: `Cancelled: ${name}` }[status],
      blocks: [
        `${number(done)} done${failed === 0 ? "" : `, ${number(failed)} failed`}.`,
        { button: "See the result", path },
      ],
    };
  },
  report: reportOf({
    subject: (names, weekly, from, to) => `The ${weekly ? "week" : "month"} from ${from} to ${to}: ${names}`,
    intro: (from, to) => `Clicks from ${from} to ${to}, compared with as many days before.`,
    clicks: "Clicks",
    uncounted: "could not be counted",
    all: "All",
    before: (clicks) => `before: ${clicks}`,
    lists: {
      best: "Best links",
      rising: "Rising links",
      broken: "Destinations that are missing or fail",
      unreachable: "Destinations that do not answer",
      fired: "Alerts that fired",
    },
    settings: "Change the reports",
  }),
};
