import { darkTokens, lightTokens } from "@terse/server";

/** The style sheets in the order of the cascade; the colours of the service's pages come first. */
export const sheets = [
  "base",
  "controls",
  "form-panel",
  "builder",
  "conditions",
  "frame",
  "lists",
  "report",
  "analytics",
  "operator",
  "link",
  "history",
  "qr",
  "links",
  "jobs",
  "pages",
  "settings",
  "webhooks",
  "session",
  "domains",
  "domain-settings",
  "forwarding",
  "first-steps",
  "import",
  "tags",
];

/** The colours of both themes */
export const tokens = `:root{color-scheme:light;${lightTokens}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${darkTokens}}}
:root[data-theme=dark]{color-scheme:dark;${darkTokens}}
@media print{:root:root{color-scheme:light;${lightTokens}}}
`;
