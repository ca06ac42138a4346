import { useHas } from "../../kit/api/account.ts";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { api, client } from "../../kit/api/api.ts";
import type { Link } from "../../kit/api/link.ts";
import { useOwnHost } from "../../kit/api/own-host.ts";
import { useStrings } from "../../words/strings.tsx";
import { sentenceOf } from "../../kit/sentences.ts";
import { useSettled } from "../../kit/use-settled.ts";
import type { Draft } from "./draft.ts";
import { laterIfTooOften } from "./later.ts";
import { Select } from "../../kit/Choices.tsx";

interface SlugFieldProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  link: Link | undefined;
  availability: Availability;
  error: string | undefined;
}

/** Domain and slug of a short URL. Says whether the slug is free while it is typed. */
export function SlugField({ draft: { slug, domain }, change, link, availability, error }: SlugFieldProps) {
  const { builder } = useStrings();
  const id = useId();
  const own = useOwnHost();
  const hasDomains = useHas("custom_domains") ?? false;
  const domains = useQuery(api.domains.list.queryOptions(undefined, { enabled: hasDomains && !link }));
  const verified = domains.data?.filter(({ status }) => status === "verified") ?? [];
  const wrong = error ?? availability.reason;
  return (
    <div className="field">
      <label htmlFor={id}>{builder.slug}</label>
      <div className="address">
        {verified.length > 0 ? (
          <Select
            aria-label={builder.domain}
            value={domain}
            values={["", ...verified.map((each) => each.domain)]}
            textOf={(each) => each || own}
            onChange={(chosen) => change({ domain: chosen })}
          />
        ) : (
          <span>{link?.domain ?? own}</span>
        )}
        <span aria-hidden="true">/</span>
        <input
          className="input"
          id={id}
          value={slug}
          onChange={(event) => change({ slug: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={`${id}-note`}
        />
      </div>
      <p
        id={`${id}-note`}
        className={wrong ? "wrong" : availability.isFree ? "note good" : "note"}
        role="status"
      >
        {wrong ?? (slug === "" ? builder.slugHint : availability.isFree ? builder.slugFree : "")}
      </p>
    </div>
  );
}

export interface Availability {
  /** Null while it is not known, and for the link's own slug */
  isFree: boolean | null;
  /** What the short URL will be; null while it is not known */
  shortUrl: string | null;
  /** Why the slug cannot be used */
  reason: string | undefined;
}

/** Whether the slug of a draft is free, asked whenever it rests. */
export function useAvailability(draft: Draft, link: Link | undefined): Availability {
  const strings = useStrings();
  const own = useOwnHost();
  const slug = draft.slug.trim();
  const domain = link && link.domain !== own ? link.domain : draft.domain;
  const asked = useSettled(slug, 250);
  const isOwnSlug = slug === link?.slug;
  // Not under the key of links: what changes a link that is shown need not ask again.
  const answer = useQuery({
    queryKey: ["draft", "availability", asked, domain],
    queryFn: () => client.links.availability.query({ slug: asked, ...(domain && { domain }) }),
    enabled: asked !== "" && asked !== link?.slug,
    gcTime: 0,
    ...laterIfTooOften,
  });
  if (isOwnSlug) return { isFree: null, shortUrl: link.shortUrl, reason: undefined };
  if (asked !== slug || slug === "" || !answer.data)
    return { isFree: null, shortUrl: null, reason: undefined };
  const { available, issues, shortUrl } = answer.data;
  const [issue] = issues;
  const reason = issue && sentenceOf(issue, strings);
  return { isFree: available, shortUrl: available ? shortUrl : null, reason };
}
