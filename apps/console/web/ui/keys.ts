/** The keys that save a form, as this device's keyboard names them. */
export const saveKeys = /Mac|iP/.test(navigator.platform) ? "⌘ ↵" : "Ctrl ↵";
