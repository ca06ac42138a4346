/** The mark: a capital T, short and plain. `size` is its width and height in pixels. */
export const logo = (size: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true">` +
  `<rect width="32" height="32" rx="9" fill="#0f6b52"/>` +
  `<path d="M9.5 11h13M16 11v11.5" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`;
