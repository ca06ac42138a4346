import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { OperatorView } from "./views.ts";

const route = getRouteApi("/operator");

/** A search whose text goes into the address when it is sent. */
export function SearchForm({ view, label }: { view: OperatorView; label: string }) {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(q);
  return (
    <form
      role="search"
      className="operator-search"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ search: { view, ...(text.trim() && { q: text.trim() }) } });
      }}
    >
      <input
        className="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
