import { domainToUnicode } from "node:url";
import { maxReportDetails, type Preview, type ReportReason } from "@terse/core/redirect";
import { type Markup, type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";
import { previewStyle } from "./preview-style.ts";

/** Previews that are shown; the others are the usual pages for links that cannot be followed. */
export type Shown = Extract<Preview, { link_id: string }>;

export interface PreviewFacts {
  /** Path of the short link itself, percent-encoded */
  path: string;
  /** mailto: or https: URL for reports that do not fit the form */
  contact: string | null;
  /** What is wrong with the report that was sent */
  problem?: string;
}

/** Destinations of rules that are listed, and how much of each is shown */
const maxOthers = 10;
const maxOtherLength = 200;

/** Shows where a short link leads, without following it, and takes reports. It works without scripts. */
export function previewPage(preview: Shown, facts: PreviewFacts): Promise<RenderedPage<200 | 400>> {
  return renderPage({
    status: facts.problem === undefined ? 200 : 400,
    title: "Where this link leads",
    style: previewStyle,
    form: "self",
    content: html`${contentOf(preview, facts.path)}
${reportForm(facts)}`,
  });
}

function contentOf(preview: Shown, path: string): Markup {
  switch (preview.kind) {
    case "link":
      return linkContent(preview, path);
    case "bucket":
      return bucketContent(preview, path);
    case "protected":
      return html`<p>A password protects this link, so its destination is not shown.</p>
${factsOf(preview)}
${warning}
<p><a class="button" href="${path}" rel="nofollow">Continue and enter the password</a></p>`;
    default:
      return preview satisfies never;
  }
}

const linkContent = (preview: Extract<Shown, { kind: "link" }>, path: string) => html`<p>It leads to:</p>
<p class="host">${hostOf(preview.destination)}</p>
<p class="url" tabindex="0"><bdi dir="ltr">${preview.destination}</bdi></p>
${preview.others.length > 0 && otherDestinations(preview.others)}
${factsOf(preview, preview.title)}
${warning}
<p><a class="button" href="${path}" rel="nofollow noreferrer">Continue to ${hostOf(preview.destination)}</a></p>`;

const otherDestinations = (
  urls: readonly string[],
) => html`<p class="note">For some visitors it leads to another address:</p>
<ul>
${urls.slice(0, maxOthers).map((url) => html`<li><strong>${hostOf(url)}</strong>: <bdi dir="ltr">${url.length > maxOtherLength ? `${url.slice(0, maxOtherLength)}…` : url}</bdi></li>\n`)}
</ul>
${urls.length > maxOthers && html`<p class="note">and to ${urls.length - maxOthers} more.</p>`}`;

const bucketContent = (
  { page, created_at }: Extract<Shown, { kind: "bucket" }>,
  path: string,
) => html`<p>It leads to a page of this service with these links:</p>
<ul>
${page.links.map(({ title, destination }) => html`<li><bdi>${title}</bdi>: ${/^https?:/.test(destination) && html`<strong>${hostOf(destination)}</strong>, `}<bdi dir="ltr">${destination}</bdi></li>\n`)}
</ul>
${factsOf({ created_at }, page.name)}
${warning}
<p><a class="button" href="${path}" rel="nofollow">Continue to the page</a></p>`;

let longDate: Intl.DateTimeFormat | undefined;
/** As in "1 May 2026". The format takes 2 MB, so a process has it from the first page on. */
const dayOf = (time: Date) =>
  (longDate ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })).format(time);

const factsOf = ({ created_at }: { created_at: Date }, title: string | null = null) => html`<dl>
${title !== null && html`<dt>Title</dt><dd><bdi>${title}</bdi></dd>`}
<dt>Created</dt><dd><time datetime="${created_at.toISOString()}">${dayOf(created_at)}</time></dd>
</dl>`;

const warning = html`<p class="note">Anybody can create short links. Do not enter a password or pay on a site that you did not
expect.</p>`;

const reasons: Record<ReportReason, string> = {
  phishing: "It pretends to be somebody else, or asks for passwords",
  malware: "It spreads harmful software",
  spam: "I got it in an unwanted message",
  illegal: "It leads to something illegal",
  other: "Something else",
};

const reportForm = ({
  contact,
  problem,
}: PreviewFacts) => html`<details${problem !== undefined && html` open`}>
<summary>Report this link</summary>
${problem !== undefined && html`<p role="alert" id="problem">${problem}</p>`}
<form method="post">
<label for="reason">What is wrong with it?</label>
<select id="reason" name="reason" required${problem !== undefined && html` aria-describedby="problem"`}>
<option value="">Please choose</option>
${Object.entries(reasons).map(([value, text]) => html`<option value="${value}">${text}</option>\n`)}
</select>
<label for="details">Details (optional)</label>
<textarea id="details" name="details" rows="3" maxlength="${maxReportDetails}"></textarea>
<button type="submit">Send the report</button>
</form>
${contact !== null && html`<p class="note">Or contact the operator of this service: <a href="${contact}">${contact.replace(/^mailto:/, "")}</a></p>`}
</details>`;

/** A DNS name has at most 253 characters (RFC 1035 section 2.3.4). Converting longer ones takes long. */
const maxHostLength = 253;

/**
 * Returns the host of a destination with its port, followed by how people write it if that differs: letters can look
 * alike. Stored URLs are normalized, so they need not be parsed.
 */
function hostOf(destination: string): string {
  const [, , host = ""] = destination.split("/", 3);
  const hostname = host.replace(/:\d+$/, "");
  const name = hostname.length > maxHostLength ? "" : domainToUnicode(hostname);
  return name === "" || name === hostname ? host : `${host} (${name})`;
}
