/** Gives the focus to the screen if nothing has it: what had it is gone, such as the row of what was deleted. */
export function focusScreen(): void {
  if (document.activeElement === document.body) document.getElementById("content")?.focus();
}
