interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string | null }): unknown;
}

/**
 * The page's policy refuses HTML as text (Trusted Types). This lets the empty text through, because React Aria empties with it
 * what it has told screen readers, such as while a time is typed.
 */
export function allowEmptyHtml(): void {
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", {
    createHTML: (html) => (html === "" ? "" : null),
  });
}
