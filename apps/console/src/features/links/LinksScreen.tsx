import { useMay } from "../../kit/api/account.ts";
import { RoleNote } from "../../kit/RoleNote.tsx";
import { later } from "../../kit/later.tsx";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { PasskeyOffer } from "./first-steps/PasskeyOffer.tsx";
import { FirstSteps } from "./first-steps/FirstSteps.tsx";
import { useKey } from "../../kit/shortcuts.ts";
import { useStrings } from "../../words/strings.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { KeyCap } from "../../kit/Shortcut.tsx";
import { useIsLeaving } from "../../kit/use-is-leaving.ts";
import { LinkList } from "./LinkList.tsx";
import { type LinksSearch, readSearch } from "./search.ts";
import { linkOfShortUrl } from "./short-url.ts";
import { ScreenHeader } from "../../kit/Screen.tsx";
import { MainButton } from "../../kit/Button.tsx";
import "./links.css";

const Builder = later(() => import("../builder/Builder.tsx"), "Builder");
const Jobs = later(() => import("./Jobs.tsx"), "Jobs");
const route = getRouteApi("/");

/** All links, with a search as one types, filters and an order. The address holds these and an open builder. */
export function LinksScreen() {
  const strings = useStrings();
  const { new: draft, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useMay("links:write");
  const mayImport = useMay("imports");
  const field = useRef<HTMLInputElement>(null);
  useKey("/", () => field.current?.focus(), strings.links.search);
  const close = () => void navigate({ search });
  return (
    <>
      <ScreenHeader title={strings.links.title}>
        <SearchField search={search} field={field} />
        {mayImport && (
          <Link to="/import" className="button secondary">
            {strings.importing.short}
          </Link>
        )}
        {mayCreate && (
          <MainButton onClick={() => void navigate({ search: { ...search, new: "" } })}>
            <Icon name="plus" />
            {strings.links.create}
            <KeyCap>C</KeyCap>
          </MainButton>
        )}
      </ScreenHeader>
      <PasskeyOffer />
      <RoleNote permission="links:write" />
      {mayCreate && <FirstSteps />}
      <Jobs />
      <LinkList search={useDeferredValue(search)} />
      {mayCreate && draft !== undefined && <Builder url={draft} close={close} />}
    </>
  );
}

interface SearchFieldProps {
  search: LinksSearch;
  field: React.RefObject<HTMLInputElement | null>;
}

function SearchField({ search, field }: SearchFieldProps) {
  const strings = useStrings();
  const navigate = route.useNavigate();
  const isLeaving = useIsLeaving();
  const openLinkOf = async (shortUrl: string) => {
    const id = await linkOfShortUrl(shortUrl);
    if (id !== null && !isLeaving()) void navigate({ to: "/links/$id", params: { id } });
  };
  const initial = search.q ?? "";
  const [text, setText] = useState(initial);
  useEffect(() => setText(initial), [initial]);
  useEffect(() => {
    if (text === initial) return undefined;
    const timer = setTimeout(() => {
      if (isLeaving()) return;
      void navigate({ search: (before: LinksSearch) => readSearch({ ...before, q: text }), replace: true });
    }, 50);
    return () => clearTimeout(timer);
  }, [text, initial, navigate, isLeaving]);
  return (
    <div className="search">
      <Icon name="search" />
      <input
        className="input"
        ref={field}
        type="search"
        aria-label={strings.links.search}
        placeholder={strings.links.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setText("");
          if (event.key === "Enter") void openLinkOf(text);
        }}
        onPaste={(event) => void openLinkOf(event.clipboardData.getData("text/plain"))}
      />
      <KeyCap>/</KeyCap>
    </div>
  );
}
