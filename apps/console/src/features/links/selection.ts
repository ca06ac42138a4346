import { useCallback, useMemo, useState } from "react";
import type { Link } from "../../kit/api/link.ts";

export interface Selection {
  /** The selected links by their ids */
  links: ReadonlyMap<string, Link>;
  toggle: (link: Link) => void;
  add: (links: readonly Link[]) => void;
  clear: () => void;
}

/** The links that a person has selected. */
export function useSelection(): Selection {
  const [links, setLinks] = useState<ReadonlyMap<string, Link>>(new Map());
  const add = useCallback(
    (more: readonly Link[]) =>
      setLinks((before) => new Map([...before, ...more.map((link) => [link.id, link] as const)])),
    [],
  );
  const toggle = useCallback(
    (link: Link) =>
      setLinks((before) => {
        const after = new Map(before);
        if (!after.delete(link.id)) after.set(link.id, link);
        return after;
      }),
    [],
  );
  const clear = useCallback(() => setLinks((before) => (before.size === 0 ? before : new Map())), []);
  return useMemo(() => ({ links, toggle, add, clear }), [links, toggle, add, clear]);
}
