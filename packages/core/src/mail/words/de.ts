import { joined, type MailWords, reportOf } from "../template.ts";

const roles: Readonly<Record<string, string>> = {
  viewer: "Betrachter",
  editor: "Bearbeiter",
  admin: "Admin",
  owner: "Eigentümer",
};

const jobs: Readonly<Record<string, string>> = {
  "links.update": "Links ändern",
  "links.delete": "Links löschen",
  "links.undo": "Änderungen rückgängig machen",
  "links.import": "Links importieren",
};

export const de: MailWords = {
  footer: (service) => `Gesendet von ${service}`,
  topics: { notices: "Hinweise zu Alarmen, Domains, Webhooks und Aufträgen", reports: "Berichte" },
  unsubscribe: "Abbestellen",
  sign_in: ({ code, token, client }) => ({
    subject: `Ihr Anmeldecode: ${code}`,
    blocks: [
      "Geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt zehn Minuten.",
      { code },
      "Oder melden Sie sich mit dieser Schaltfläche an, auf jedem Gerät:",
      { button: "Anmelden", path: `/auth/email?token=${token}` },
      `${client === null ? "" : `Angefordert mit ${client}. `}Waren Sie das nicht, dann ignorieren Sie diese Mail und geben Sie den Code niemandem: Der Dienst fragt nie danach.`,
    ],
  }),
  invitation: ({ workspace, inviter, role, days, path }) => ({
    subject: `${inviter} lädt Sie zu ${workspace} ein`,
    blocks: [
      `${inviter} lädt Sie in den Arbeitsbereich „${workspace}“ ein, als ${roles[role] ?? role}.`,
      { button: "Einladung ansehen", path },
      `Die Einladung endet in ${days} ${days === 1 ? "Tag" : "Tagen"}. Kennen Sie ${inviter} nicht, dann ignorieren Sie diese Mail.`,
    ],
  }),
  security: ({ event, about, at, network, client, path }, { time }) => {
    const what = {
      key_created: {
        subject: "Ein neuer API-Schlüssel",
        text: `Der API-Schlüssel „${about}“ wurde erstellt.`,
      },
      passkey_added: {
        subject: "Ein neuer Passkey",
        text: `Mit dem Passkey „${about}“ kann man sich jetzt bei Ihrem Konto anmelden.`,
      },
      new_place: {
        subject: "Anmeldung von einem neuen Ort",
        text: `Jemand hat sich bei Ihrem Konto angemeldet: ${about}.`,
      },
    }[event];
    return {
      subject: what.subject,
      blocks: [
        what.text,
        joined(" · ", time(at), client, network),
        "Waren Sie das, ist nichts zu tun. Wenn nicht, beenden Sie, was Sie nicht kennen, und melden Sie sich überall ab:",
        { button: "Konto prüfen", path },
      ],
    };
  },
  alert_fired: ({ name, kind, clicks, usual, hours, path }, { number }) => ({
    subject: `Alarm: ${name}`,
    blocks: [
      kind === "silence"
        ? `Der Alarm „${name}“ wurde ausgelöst: keine Klicks in den letzten ${number(hours)} Stunden.`
        : `Der Alarm „${name}“ wurde ausgelöst: ${number(clicks)} Klicks in den letzten ${number(hours)} Stunden${usual === null ? "" : `, sonst ${number(usual)}`}.`,
      { button: "Klicks ansehen", path },
    ],
  }),
  domain_failed: ({ domain, path }) => ({
    subject: `${domain} wird nicht mehr bedient`,
    blocks: [
      `Die DNS-Einträge von ${domain} sind seit drei Tagen falsch, oder ein anderes Konto hat die Domain bestätigt. Ihre Kurzlinks leiten nicht mehr weiter.`,
      { button: "Einträge ansehen", path },
    ],
  }),
  webhook_off: ({ host, isGone, path }) => ({
    subject: `Der Webhook an ${host} ist aus`,
    blocks: [
      isGone
        ? `${host} hat geantwortet, dass es den Empfänger nicht mehr gibt (410). Er erhält keine Ereignisse mehr.`
        : `Seit drei Tagen ist keine Zustellung an ${host} gelungen. Er erhält keine Ereignisse mehr.`,
      { button: "Zustellungen ansehen", path },
    ],
  }),
  job_ended: ({ job, status, done, failed, path }, { number }) => {
    const name = jobs[job] ?? "ein Auftrag";
    return {
      subject: { done: `Fertig: ${name}`, failed: `Gescheitert: ${name}`, cancelled: `Abgebrochen: ${name}` }[
        status
      ],
      blocks: [
        `${number(done)} erledigt${failed === 0 ? "" : `, ${number(failed)} gescheitert`}.`,
        { button: "Ergebnis ansehen", path },
      ],
    };
  },
  report: reportOf({
    subject: (names, weekly, from, to) =>
      `${weekly ? "Die Woche" : "Der Monat"} vom ${from} bis ${to}: ${names}`,
    intro: (from, to) => `Klicks vom ${from} bis ${to}, verglichen mit ebenso vielen Tagen davor.`,
    clicks: "Klicks",
    uncounted: "nicht zählbar",
    all: "Alle",
    before: (clicks) => `davor: ${clicks}`,
    lists: {
      best: "Beste Links",
      rising: "Aufsteigende Links",
      broken: "Ziele, die fehlen oder Fehler melden",
      unreachable: "Ziele, die nicht antworten",
      fired: "Ausgelöste Alarme",
    },
    settings: "Berichte ändern",
  }),
};
