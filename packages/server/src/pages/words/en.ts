import type { IssueCode, IssueParams } from "@terse/core/browser";
import { html } from "hono/html";
import { numberOf, pluralOf, waitOf } from "../intl.ts";

const again = (seconds: number) => `Please try again ${waitOf("en", seconds)}.`;
const ourFault = {
  title: "Something went wrong",
  text: "Sorry, this is a problem on our side. Please try again later.",
};

const roles = {
  viewer: "a viewer: you may see links and analytics",
  editor: "an editor: you may create and change links and pages",
  admin: "an admin: you may manage everything except the plan and the workspace itself",
  owner: "the owner",
};

export const en = {
  language: "en",
  name: "English",
  footer: "Short links by Terse",
  languages: "Language",
  continue: "Continue",
  documentation: "API documentation",
  again,
  ourFault,
  rateLimited: "Too many requests",
  password: {
    label: "Password",
    wrong: "Wrong password. Please try again.",
    wrongTitle: (heading: string) => `Wrong password: ${heading}`,
    tooMany: "Too many attempts",
    link: { title: "This link is protected", text: "Enter the password to continue." },
    report: { title: "This report is protected", text: "Enter the password to read it." },
  },
  links: {
    root: {
      title: "Short links",
      text: "This site hosts short links. To open one, enter its full address, including everything after the slash.",
    },
    notFound: {
      title: "Link not found",
      text: "There is no short link at this address. Please check it for typos.",
    },
    gone: "This link no longer works",
    disabled: "The operator of this service has disabled it.",
    inactive: "Its owner has turned it off.",
    blocked: "It leads to a site that is blocked as harmful.",
    expired: "It was available for a limited time and has expired.",
    used_up: "It has reached its limit of visits.",
    notAllowed: { title: "This does not work here", text: "A short link can only be opened." },
    badForm: {
      title: "We could not read that",
      text: "Open the link again and use the form on its page.",
    },
    unavailable: {
      title: "Back in a moment",
      text: "We cannot look up this link right now. Please try again.",
    },
  },
  preview: {
    title: "Where this link leads",
    leadsTo: "It leads to:",
    others: "Some visitors are sent elsewhere:",
    more: (n: number) => `and to ${numberOf("en", n)} more.`,
    page: "It opens a page with these links:",
    protected: "A password protects this link, so its destination is not shown.",
    name: "Title",
    created: "Created",
    warning:
      "Anyone can create short links. Do not enter a password or pay on a site that you did not expect.",
    continueTo: (host: string) => `Continue to ${host}`,
    continueToPage: "Continue to the page",
    continueToPassword: "Continue and enter the password",
    report: "Report this link",
    what: "What is wrong with it?",
    choose: "Choose a reason",
    reasons: {
      phishing: "It impersonates someone or asks for passwords",
      malware: "It spreads harmful software",
      spam: "It reached me as spam",
      illegal: "It leads to something illegal",
      other: "Something else",
    },
    details: "Details (optional)",
    send: "Send report",
    contact: "Or contact the operator of this service:",
    noReason: "Please choose what is wrong with the link.",
    thanks: {
      title: "Thank you",
      text: "Your report has been sent. The operator of this service will look at the link.",
    },
    notSent: {
      title: "The report was not sent",
      text: "Please open the preview of the link and use the form there.",
    },
    tooMany: "Too many reports",
  },
  start: {
    title: "Short links with exact click counts",
    please: "Please sign in",
    text: "Terse shortens long URLs and counts every click.",
    signIn: "Sign in",
    with: (provider: string) => `Sign in with ${provider}`,
    byHand:
      "To sign in, open the link that the operator of this service sent you. It works once, for ten minutes.",
    local:
      "To sign in, open the one-time link that the service printed when it started. It only works on that machine. To get a new one, run:",
    shorten: "Shorten a URL",
    longUrl: "Long URL",
    shortenIt: "Shorten",
    redirectsTo: (destination: string) => `redirects to ${destination}`,
    signOut: "Sign out",
    home: "Go to the start page",
    notFound: {
      title: "Page not found",
      text: "There is nothing at this address. Please check it for typos.",
    },
  },
  signIn: {
    back: "Back to the start page",
    passkey: {
      signIn: "Sign in with a passkey",
      text: "Your browser asks for the fingerprint, face or PIN that you unlock this device with.",
      failed: "The passkey was not accepted. Try again, or sign in another way.",
      cancelled: "The sign-in was cancelled, or this device has no passkey for this service.",
      unsupported: "This browser is too old for passkeys. Sign in another way.",
    },
    linkTitle: "Sign in to Terse",
    linkText: "This link works once.",
    email: "E-mail address",
    sendCode: "E-mail me a code",
    codeTitle: "Check your mail",
    codeText: (address: string) =>
      `If ${address} can sign in here, it now gets a code. Enter it within ten minutes, in this browser.`,
    code: "Code",
    emailLinkText: (address: string) => `This link signs in as ${address}. It works once.`,
    emailLinkUsed: {
      title: "This link no longer works",
      text: "A link in a mail works once, for ten minutes. Ask for a new one.",
    },
    kept: {
      title: "Your account is kept",
      text: "It was about to be deleted. Because you signed in, it stays as it was, and its links and API keys work again.",
    },
    lost: {
      title: "This sign-in is no longer valid",
      text: "It was started in another browser, was already completed, or took too long. Please start again.",
    },
    unknownProvider: {
      title: "Unknown provider",
      text: "No sign-in provider with this name is set up here.",
    },
    notFromHere: {
      title: "Not available from here",
      text: "Sign-in links only work on the machine that runs the service, and not through a proxy.",
    },
    notByHttps: {
      title: "Not available from here",
      text: "Sign-in links only work at the https address of this service.",
    },
    usedUp: {
      title: "This link no longer works",
      text: "A sign-in link works once and expires after a few minutes. The admin command login-link creates a new one.",
    },
    unavailable: {
      title: "Back in a moment",
      text: "Sign-in is not available right now. Please try again.",
    },
    taken: "This e-mail address already has an account",
    failed: "Sign-in failed",
    cancelled: (provider: string) => ({
      title: "Sign-in was cancelled",
      text: `You cancelled, or ${provider} denied access.`,
    }),
    denied: (provider: string) => ({
      title: `${provider} denied the sign-in`,
      text: "Please try again, or sign in another way.",
    }),
    invalid: (provider: string) => ({
      title: `${provider} sent an invalid response`,
      text: "It was not issued for this service, or it has expired. You were not signed in.",
    }),
    used: (provider: string) => ({
      title: "This sign-in is no longer valid",
      text: `The response from ${provider} is invalid or was already used. Please start again.`,
    }),
    misconfigured: (provider: string) => ({
      title: `Sign-in with ${provider} is not working`,
      text: `This service and ${provider} could not complete the sign-in. If it keeps failing, please contact the operator of this service.`,
    }),
    unreachable: (provider: string) => ({
      title: `${provider} cannot be reached`,
      text: "You cannot sign in with it right now. Please try again in a moment.",
    }),
  },
  mail: {
    title: "Unsubscribe",
    text: (topic: string) => `Stop ${topic} by e-mail?`,
    button: "Stop these mails",
    topics: { notices: "notices about alerts, domains and jobs", reports: "reports" },
    done: { title: "Done", text: (topic: string) => `You get no more ${topic} by e-mail.` },
  },
  invitation: {
    title: (workspace: string) => `Join ${workspace}`,
    role: (role: keyof typeof roles) => `You have been invited as ${roles[role]}.`,
    join: "Join",
    signIn: "You have been invited",
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    signInText: "Sign in to see the invitation to a workspace and to accept it.",
    missing: {
      title: "Invitation not found",
      text: "It may have been used or withdrawn, may have expired, or may be for someone else. If it came by e-mail, sign in with that verified address; otherwise ask for a new invitation.",
    },
    failed: "You could not join",
    full: "The workspace has no room for more members. Ask the person who invited you to make room or to change the plan.",
    open: "Open the console",
  },
  consent: {
    aDevice: "A device",
    aProgram: "A program on your computer",
    connect: (program: string) => `Connect ${program}`,
    question: "Connect a program?",
    ways: {
      api: "through the API",
      mcp: "through the MCP server",
      mcpFull: "through the MCP server with all tools",
    },
    wants: (program: unknown, way: string) => html`${program} wants to act for your account ${way}.`,
    can: "It will be able to",
    workspace: "Workspace",
    scopes: {
      "links:read": "See links and QR codes",
      "links:write": "Create, change and delete links",
      "analytics:read": "See analytics",
      domains: "Manage custom domains",
      buckets: "Manage pages with several links",
      keys: "Manage API keys",
      account: "See and manage the account",
      webhooks: "Manage webhooks",
      members: "Manage members and invitations",
    },
    allow: "Allow",
    refuse: "Refuse",
    end: "You can end the connection at any time in the settings.",
    device: (code: unknown) =>
      html`Continue only if you started this yourself and your device shows the code ${code}.`,
    deviceAt: (address: string) => `The request came from ${address}.`,
    own: (host: unknown) => html`It belongs to ${host}, and your answer goes there.`,
    unnamed: "It chose its name itself.",
    described: (publisher: unknown) =>
      html`Its description comes from ${publisher}, but your answer does not go there.`,
    toComputer: html`Your answer goes to <strong>a program on your own computer</strong>. Continue only if you have just started it there.`,
    toHost: (host: unknown) => html`Your answer goes to ${host}. Continue only if you know this address.`,
    otherAccount: "You are signed in to another account now.",
    noScope: "Choose at least one permission, or refuse.",
    signIn: "Sign in",
    signInAgain: "Sign in again",
    wantsIn: (program: unknown) => html`${program} wants to connect.`,
    decide: "Sign in to decide whether it may act for your account.",
    tooOld: "You signed in more than ten minutes ago: sign in again to let a program act for your account.",
    byHand: "Open the link that the operator of this service sent you, then come back.",
    local: "Open a one-time link, then come back. This command prints one:",
    signedIn: "I have signed in: continue",
    planTitle: "Your plan does not include this",
    plan: (program: unknown, plan: string) => html`${program} cannot be connected: ${plan} plan required.`,
    backTo: (program: string) => `Back to ${program}`,
    lost: {
      title: "This request is no longer valid",
      text: "It was answered already, has expired, or was started in another browser. Start again in the program.",
    },
    failed: "This did not work",
    deviceTitle: "Connect a device",
    enterCode: "Enter the code that the program shows. Never enter a code that somebody sent you.",
    code: "Code",
    problems: {
      NoCodeError: "Enter the code that your device shows.",
      NotFoundError: "There is no such code. Compare it with the one on your device.",
      ExpiredError: "This code has expired. Start again on your device.",
      AlreadyUsedError: "This code has already been used. Start again on your device.",
    },
    otherProblem: "This did not work. Start again on your device.",
    refused: {
      title: "Not connected",
      text: "You refused, so the program got no access. You can close this page.",
    },
    connected: "Connected",
    returnTo: (program: string) =>
      `Return to ${program}, which continues on its own. You can close this page.`,
    theProgram: "the program",
    notConnectable: {
      title: "This program cannot be connected",
      text: "It sent a request that is not valid, or the request has expired. Start again in the program.",
    },
  },
  /**
   * Why something was refused, by the code of an issue or by its param `reason`. Where a language has no sentence, the
   * core's own is shown.
   */
  problems: {} as Partial<Record<IssueCode | RefusedSignIn, (params: IssueParams) => string>>,
  report: {
    missing: {
      title: "Report not found",
      text: "The address is wrong, or the report is no longer shared. Ask the person who sent it to you.",
    },
    noFigures: "No figures for this period",
    dropped: "Some of its clicks are no longer kept.",
    showKept: "Show the ones that are",
    unavailable: "The report is not available right now",
    period: "Period",
    periods: {
      "24h": "24 hours",
      "7d": "7 days",
      "30d": "30 days",
      "90d": "90 days",
      "1y": "12 months",
      all: "All time",
    },
    clicks: "Clicks",
    visitors: "Visitors",
    links: "Links",
    countries: "Countries",
    referrers: "Sources",
    channels: "Channels",
    devices: "Devices",
    browsers: "Browsers",
    os: "Systems",
    values: {
      "(direct)": "Direct",
      "(other)": "All others",
      unknown: "Unknown",
      search: "Search",
      social: "Social networks",
      mail: "Mail",
      assistant: "AI assistants",
      direct: "Direct",
      other: "Other",
      desktop: "Computers",
      mobile: "Phones",
      tablet: "Tablets",
      tv: "Televisions",
      console: "Game consoles",
    },
    chart: (clicks: number, bars: number) =>
      `${numberOf("en", clicks)} ${pluralOf("en", clicks, "click", "clicks")} in ${bars} bars`,
    until: (day: string) => `Shared until ${day} · times in UTC · short links by Terse`,
  },
};

/** Reasons of the core against a sign-in */
type RefusedSignIn =
  | "deleted"
  | "suspended"
  | "deletion_pending"
  | "no_sign_up"
  | "unverified_email"
  | "reserved"
  | "wrong_code";

/** Every text of the pages, in one language. */
export type Words = typeof en;
