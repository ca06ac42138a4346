/** The key of shortcuts with a letter, as it is called on this system. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
