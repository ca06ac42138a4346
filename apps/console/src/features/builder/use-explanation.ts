import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client, statusOf } from "../../kit/api/api.ts";
import type { Link } from "../../kit/api/link.ts";
import { errorsOf } from "../../kit/issues.ts";
import { useStrings } from "../../words/strings.tsx";
import { useSettled } from "../../kit/use-settled.ts";
import { changesOf, creationOf, type Draft, draftOf, fieldsOf, unfinishedTimes } from "./draft.ts";
import { type Asked, groupsOf, type Visit, visitsOf } from "./visits.ts";
import { laterIfTooOften } from "./later.ts";
import { correctedUrl } from "../../kit/format/url.ts";
import { isComplete as isCompleteRule } from "./rules/rules-draft.ts";

type Question = Parameters<typeof client.links.explainDraft.mutate>[0];

/** Stands for the password that was typed: it decides nothing, and need not be sent while it is typed. */
const anyPassword = "any password";

/** Asks the service where visitors of a draft would end up, and what it would refuse, whenever the draft rests. */
export function useExplanation(draft: Draft, link: Link | undefined, asked: Asked) {
  const strings = useStrings();
  const isComplete = isFilledIn(draft);
  const visits = visitsOf(draft, asked);
  const question = useSettled(isComplete ? JSON.stringify({ ...questionOf(draft, link), visits }) : "", 300);
  const answer = useQuery({
    queryKey: ["draft", "explanation", question],
    queryFn: async () => {
      const asking = JSON.parse(question) as Question & { visits: Visit[] };
      const { visits: answers } = await client.links.explainDraft.mutate(asking);
      return groupsOf(asking.visits, answers);
    },
    enabled: isComplete && question !== "",
    placeholderData: keepPreviousData,
    ...laterIfTooOften,
  });
  if (!isComplete) return { isComplete, groups: [], errors: {}, error: null };
  const error = answer.error as Error | null;
  const errors = statusOf(error) === 400 ? errorsOf(error, strings, "draft") : {};
  return { isComplete, groups: answer.data ?? [], errors, error };
}

/** False while a URL, a time or a country is still to be entered, or a URL has a mistake that is pointed out already. */
function isFilledIn(draft: Draft): boolean {
  const { url, open, rules: conditional, geo_rules, ab_test, preview, fallback_url: fallback } = draft;
  const rules = open.includes("geo_rules") ? geo_rules : [];
  const variants = open.includes("ab_test") ? ab_test : [];
  const urls = [
    url,
    ...conditional.map((rule) => rule.url),
    ...rules.map((rule) => rule.url),
    ...variants.map((variant) => variant.url),
  ];
  if (fallback !== "") urls.push(fallback);
  const isUrl = (text: string) => text.trim() !== "" && correctedUrl(text) === null;
  if (unfinishedTimes(draft).length > 0) return false;
  if (preview.image.trim() !== "" && !isUrl(preview.image)) return false;
  return (
    urls.every(isUrl) && conditional.every(isCompleteRule) && rules.every(({ country }) => country !== null)
  );
}

/** The draft as the service takes it, without what cannot change the answer. */
function questionOf(draft: Draft, link: Link | undefined): Omit<Question, "visits"> {
  const safe = draft.password === "" ? draft : { ...draft, password: anyPassword };
  const fields = { ...fieldsOf(safe, link), slug: "", title: null, tags: [], notes: null };
  if (!link) return { draft: creationOf(fields, "") };
  const before = { ...fieldsOf(draftOf(link, ""), link), slug: "", title: null, tags: [], notes: null };
  return { id: link.id, draft: changesOf(before, fields) };
}
