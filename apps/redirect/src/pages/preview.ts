import { domainToUnicode } from "node:url";
import { maxReportDetails, type Preview, reportReasons } from "@terse/core/redirect";
import { dateOf, type Markup, type RenderedPage, renderPage, type Words } from "@terse/server";
import { html } from "hono/html";
import { previewStyle } from "./preview-style.ts";

/** Previews that are shown; the others are the usual pages for links that cannot be followed. */
export type Shown = Extract<Preview, { link_id: string }>;

export interface PreviewFacts {
  /** Path of the short link itself, percent-encoded */
  path: string;
  /** mailto: or https: URL for reports that do not fit the form */
  contact: string | null;
  /** Set if a report was sent without a reason */
  hasNoReason?: boolean;
}

/** Destinations of rules that are listed, and how much of each is shown */
const maxOthers = 10;
const maxOtherLength = 200;

/** Shows where a short link leads, without following it, and takes reports. It works without scripts. */
export function previewPage(
  preview: Shown,
  words: Words,
  facts: PreviewFacts,
): Promise<RenderedPage<200 | 400>> {
  return renderPage({
    status: facts.hasNoReason ? 400 : 200,
    words,
    title: words.preview.title,
    style: previewStyle,
    form: "self",
    content: html`${contentOf(preview, words, facts.path)}
${reportForm(words, facts)}`,
  });
}

function contentOf(preview: Shown, words: Words, path: string): Markup {
  switch (preview.kind) {
    case "link":
      return linkContent(preview, words, path);
    case "bucket":
      return bucketContent(preview, words, path);
    case "protected":
      return html`<p>${words.preview.protected}</p>
${factsOf(preview, words)}
<p><a class="button" href="${path}" rel="nofollow">${words.preview.continueToPassword}</a></p>`;
    default:
      return preview satisfies never;
  }
}

const linkContent = (
  preview: Extract<Shown, { kind: "link" }>,
  words: Words,
  path: string,
) => html`<p>${words.preview.leadsTo}</p>
<p class="host">${hostOf(preview.destination)}</p>
<p class="url" tabindex="0"><bdi dir="ltr">${preview.destination}</bdi></p>
${preview.others.length > 0 && otherDestinations(preview.others, words)}
${factsOf(preview, words, preview.title)}
<p><a class="button" href="${path}" rel="nofollow noreferrer">${words.preview.continueTo(hostOf(preview.destination))}</a></p>`;

const otherDestinations = (
  urls: readonly string[],
  { preview }: Words,
) => html`<p class="note">${preview.others}</p>
<ul>
${urls.slice(0, maxOthers).map((url) => html`<li><strong>${hostOf(url)}</strong>: <bdi dir="ltr">${url.length > maxOtherLength ? `${url.slice(0, maxOtherLength)}…` : url}</bdi></li>\n`)}
</ul>
${urls.length > maxOthers && html`<p class="note">${preview.more(urls.length - maxOthers)}</p>`}`;

const bucketContent = (
  { page, created_at }: Extract<Shown, { kind: "bucket" }>,
  words: Words,
  path: string,
) => html`<p>${words.preview.page}</p>
<ul>
${page.links.map(({ title, destination }) => html`<li><bdi>${title}</bdi>: ${/^https?:/.test(destination) && html`<strong>${hostOf(destination)}</strong>, `}<bdi dir="ltr">${destination}</bdi></li>\n`)}
</ul>
${factsOf({ created_at }, words, page.name)}
<p><a class="button" href="${path}" rel="nofollow">${words.preview.continueToPage}</a></p>`;

const factsOf = (
  { created_at }: { created_at: Date },
  { language, preview }: Words,
  title: string | null = null,
) => html`<dl>
${title !== null && html`<dt>${preview.name}</dt><dd><bdi>${title}</bdi></dd>`}
<dt>${preview.created}</dt><dd><time datetime="${created_at.toISOString()}">${dateOf(language, created_at)}</time></dd>
</dl>
<p class="note">${preview.warning}</p>`;

const reportForm = (
  { preview: words }: Words,
  { contact, hasNoReason = false }: PreviewFacts,
) => html`<details${hasNoReason && html` open`}>
<summary>${words.report}</summary>
${hasNoReason && html`<p role="alert" id="problem">${words.noReason}</p>`}
<form method="post">
<label for="reason">${words.what}</label>
<select id="reason" name="reason" required${hasNoReason && html` aria-describedby="problem"`}>
<option value="">${words.choose}</option>
${reportReasons.map((reason) => html`<option value="${reason}">${words.reasons[reason]}</option>\n`)}
</select>
<label for="details">${words.details}</label>
<textarea id="details" name="details" rows="3" maxlength="${maxReportDetails}"></textarea>
<button type="submit">${words.send}</button>
</form>
${contact !== null && html`<p class="note">${words.contact} <a href="${contact}">${contact.replace(/^mailto:/, "")}</a></p>`}
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
