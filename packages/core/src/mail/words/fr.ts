import { joined, type MailWords, reportOf } from "../template.ts";

const roles: Readonly<Record<string, string>> = {
  viewer: "lecteur",
  editor: "éditeur",
  admin: "administrateur",
  owner: "propriétaire",
};

const jobs: Readonly<Record<string, string>> = {
  "links.update": "modification de liens",
  "links.delete": "suppression de liens",
  "links.undo": "annulation de modifications",
  "links.import": "importation de liens",
};

export const fr: MailWords = {
  footer: (service) => `Envoyé par ${service}`,
  topics: { notices: "avis sur les alertes, les domaines, les webhooks et les tâches", reports: "rapports" },
  unsubscribe: "Se désabonner",
  sign_in: ({ code, token, client }) => ({
    subject: `Votre code de connexion : ${code}`,
    blocks: [
      "Saisissez ce code sur la page où vous l’avez demandé. Il est valable dix minutes.",
      { code },
      "Ou connectez-vous avec ce bouton, sur n’importe quel appareil :",
      { button: "Se connecter", path: `/auth/email?token=${token}` },
      `${client === null ? "" : `Demandé avec ${client}. `}Si ce n’était pas vous, ignorez ce message et ne donnez le code à personne : le service ne le demande jamais.`,
    ],
  }),
  invitation: ({ workspace, inviter, role, days, path }) => ({
    subject: `${inviter} vous invite dans ${workspace}`,
    blocks: [
      `${inviter} vous invite dans l’espace de travail « ${workspace} » comme ${roles[role] ?? role}.`,
      { button: "Voir l’invitation", path },
      `L’invitation prend fin dans ${days} ${days === 1 ? "jour" : "jours"}. Si vous ne connaissez pas ${inviter}, ignorez ce message.`,
    ],
  }),
  security: ({ event, about, at, network, client, path }, { time }) => {
    const what = {
      key_created: { subject: "Une nouvelle clé d’API", text: `La clé d’API « ${about} » a été créée.` },
      passkey_added: {
        subject: "Une nouvelle clé d’accès",
        text: `La clé d’accès « ${about} » permet désormais de se connecter à votre compte.`,
      },
      new_place: {
        subject: "Connexion depuis un nouvel endroit",
        text: `Quelqu’un s’est connecté à votre compte : ${about}.`,
      },
    }[event];
    return {
      subject: what.subject,
      blocks: [
        what.text,
        joined(" · ", time(at), client, network),
        "Si c’était vous, il n’y a rien à faire. Sinon, supprimez ce que vous ne connaissez pas et déconnectez-vous partout :",
        { button: "Vérifier le compte", path },
      ],
    };
  },
  alert_fired: ({ name, kind, clicks, usual, hours, path }, { number }) => ({
    subject: `Alerte : ${name}`,
    blocks: [
      kind === "silence"
        ? `L’alerte « ${name} » s’est déclenchée : aucun clic ces ${number(hours)} dernières heures.`
        : `L’alerte « ${name} » s’est déclenchée : ${number(clicks)} clics ces ${number(hours)} dernières heures${usual === null ? "" : `, d’habitude ${number(usual)}`}.`,
      { button: "Voir les clics", path },
    ],
  }),
  domain_failed: ({ domain, path }) => ({
    subject: `${domain} n’est plus servi`,
    blocks: [
      `Les enregistrements DNS de ${domain} sont faux depuis trois jours, ou un autre compte a vérifié le domaine. Ses liens courts ne redirigent plus.`,
      { button: "Voir les enregistrements", path },
    ],
  }),
  webhook_off: ({ host, isGone, path }) => ({
    subject: `Le webhook vers ${host} est désactivé`,
    blocks: [
      isGone
        ? `${host} a répondu que le destinataire n’existe plus (410) : il ne reçoit plus d’événements.`
        : `Aucun envoi vers ${host} n’a réussi depuis trois jours : il ne reçoit plus d’événements.`,
      { button: "Voir les envois", path },
    ],
  }),
  job_ended: ({ job, status, done, failed, path }, { number }) => {
    const name = jobs[job] ?? "une tâche";
    return {
      subject: { done: `Terminé : ${name}`, failed: `Échec : ${name}`, cancelled: `Annulé : ${name}` }[
        status
      ],
      blocks: [
        `${number(done)} ${done > 1 ? "traités" : "traité"}${failed === 0 ? "" : `, ${number(failed)} en échec`}.`,
        { button: "Voir le résultat", path },
      ],
    };
  },
  report: reportOf({
    subject: (names, weekly, from, to) =>
      `${weekly ? "La semaine" : "Le mois"} du ${from} au ${to} : ${names}`,
    intro: (from, to) => `Clics du ${from} au ${to}, comparés à autant de jours auparavant.`,
    clicks: "Clics",
    uncounted: "non comptés",
    all: "Toutes",
    before: (clicks) => `avant : ${clicks}`,
    lists: {
      best: "Meilleurs liens",
      rising: "Liens en hausse",
      broken: "Destinations absentes ou en erreur",
      unreachable: "Destinations qui ne répondent pas",
      fired: "Alertes déclenchées",
    },
    settings: "Modifier les rapports",
  }),
};
