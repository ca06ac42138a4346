import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api, statusOf } from "../../kit/api/api.ts";
import type { Link as ShortLink } from "../../kit/api/link.ts";
import { Loaded } from "../../kit/Loaded.tsx";
import { ScreenTitle } from "../../kit/Screen.tsx";
import { useStrings } from "../../words/strings.tsx";
import { LinkHistory } from "./LinkHistory.tsx";

interface LoadedLinkProps {
  id: string;
  children: (link: ShortLink) => ReactNode;
}

/** What is shown of a link. Without one, why: a deleted one can be brought back. */
export function LoadedLink({ id, children }: LoadedLinkProps) {
  const { link: words } = useStrings();
  const link = useQuery(api.links.get.queryOptions({ id }));
  if (link.data || statusOf(link.error) !== 404)
    return (
      <Loaded query={link} height="middle">
        {children}
      </Loaded>
    );
  return (
    <>
      <div className="empty">
        <ScreenTitle>{words.missing}</ScreenTitle>
        <p>{words.missingHint}</p>
        <Link to="/">{words.back}</Link>
      </div>
      <LinkHistory id={id} />
    </>
  );
}
