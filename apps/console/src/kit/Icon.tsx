/** Paths on a 20 by 20 grid, drawn with strokes of 1.6. */
const paths = {
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l2.9-2.9a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-2.9 2.9a3 3 0 0 0 4.2 4.2l1-1",
  chart: "M3.5 16.5h13M6 13.5V9M10 13.5v-9M14 13.5v-6",
  settings: "M3.5 6h6M13.5 6h3M3.5 14h3M10.5 14h6M11.5 4v4M8.5 12v4",
  book: "M4 4.5h5a1 1 0 0 1 1 1v10a1 1 0 0 0-1-1H4zM16 4.5h-5a1 1 0 0 0-1 1v10a1 1 0 0 1 1-1h5z",
  page: "M5.5 3.5h9v13h-9zM8 7h4M8 10h4M8 13h4",
  globe:
    "M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM3.5 10h13M10 3.5c4.5 4 4.5 9 0 13M10 3.5c-4.5 4-4.5 9 0 13",
  search: "M8.75 13.5a4.75 4.75 0 1 0 0-9.5 4.75 4.75 0 0 0 0 9.5zM12.5 12.5l4 4",
  copy: "M7.5 7.5v-3h8v8h-3M4.5 7.5h8v8h-8z",
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  shield: "M10 3.5l6 2v4.5c0 3.5-2.5 5.6-6 6.5-3.5-.9-6-3-6-6.5V5.5z",
  plus: "M10 4.5v11M4.5 10h11",
  down: "M6.5 8.5l3.5 3.5 3.5-3.5",
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a word; it has no meaning of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
