/** Fields that somebody typed into, as long as they are in the page. */
const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

const isText = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !["search", "checkbox", "radio"].includes(target.type));

/** From now on, remembers which fields are typed into. */
export function watchTyping(): void {
  document.addEventListener("input", ({ target }) => {
    if (isText(target)) fields.add(target);
  });
}

/** Whether the page has text that would be lost if it were left. */
export function hasTyped(): boolean {
  for (const field of fields) if (!field.isConnected) fields.delete(field);
  return [...fields].some(({ value }) => value !== "");
}
