import { csvOf } from "../../kit/format/csv.ts";
import type { Link } from "../../kit/api/link.ts";

const columns = [
  "short_url",
  "destination",
  "title",
  "click_count",
  "is_active",
  "created_at",
  "updated_at",
  "last_click_at",
  "expires_at",
  "has_password",
  "tags",
  "notes",
] as const satisfies readonly (keyof Link)[];

/** Links as CSV, as the service's export writes them. */
export const csvOfLinks = (links: readonly Link[]): string =>
  csvOf([
    columns,
    ...links.map((link) => columns.map((column) => (column === "tags" ? tagsCell(link.tags) : link[column]))),
  ]);

const tagsCell = (tags: readonly string[]) => tags.map((tag) => tag.replaceAll(/[\\|]/g, "\\$&")).join("|");
