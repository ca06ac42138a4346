import { later, skeleton } from "../../kit/later.tsx";
import { type ReactNode, useRef, useState } from "react";
import type { Link } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { useFocusNext } from "../../kit/focus.ts";
import { NotesSection } from "./NotesSection.tsx";
import { type Draft, newRule, newVariant, type Section, sections } from "./draft.ts";
import type { Errors } from "../../kit/issues.ts";
import { PasswordSection } from "./PasswordSection.tsx";
import { Button, TextButton } from "../../kit/Button.tsx";

const ExpirySection = later(() => import("./ExpirySection.tsx"), "ExpirySection", skeleton);
const RulesSection = later(() => import("./RulesSection.tsx"), "RulesSection", skeleton);
const AbTestSection = later(() => import("./AbTestSection.tsx"), "AbTestSection", skeleton);

interface OptionsProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  link: Link | undefined;
  hasOptions: boolean;
  errors: Errors;
}

/** What a link may have besides its destination: each part is added by a button, and removed by another. */
export function Options({ draft, change, link, hasOptions, errors }: OptionsProps) {
  const { builder } = useStrings();
  const more = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(more);
  const [lastOpened, setLastOpened] = useState<Section | null>(null);
  const open = (section: Section) => {
    setLastOpened(section);
    change({
      open: sections.filter((each) => each === section || draft.open.includes(each)),
      ...(section === "geo_rules" && draft.geo_rules.length === 0 && { geo_rules: [newRule()] }),
      ...(section === "ab_test" &&
        draft.ab_test.length === 0 && { ab_test: [newVariant(draft.url, 50), newVariant("", 50)] }),
    });
  };
  const close = (section: Section) => {
    focusNext(`[data-section=${section}]`);
    change({ open: draft.open.filter((each) => each !== section), [section]: draftWithout[section] });
  };
  const field = (section: Section) => ({ isDisabled: !hasOptions, autoFocus: section === lastOpened });
  const parts: Record<Section, ReactNode> = {
    notes: (
      <NotesSection
        value={draft.notes}
        onChange={(notes) => change({ notes })}
        error={errors["notes"]}
        autoFocus={lastOpened === "notes"}
      />
    ),
    password: (
      <PasswordSection
        value={draft.password}
        onChange={(password) => change({ password })}
        isSet={link?.has_password ?? false}
        error={errors["password"]}
        {...field("password")}
      />
    ),
    expires_at: (
      <ExpirySection
        value={draft.expires_at}
        onChange={(expires_at) => change({ expires_at })}
        error={errors["expires_at"]}
        {...field("expires_at")}
      />
    ),
    geo_rules: (
      <RulesSection
        rules={draft.geo_rules}
        onChange={(geo_rules) => change({ geo_rules })}
        errors={errors}
        {...field("geo_rules")}
      />
    ),
    ab_test: (
      <AbTestSection
        variants={draft.ab_test}
        onChange={(ab_test) => change({ ab_test })}
        errors={errors}
        {...field("ab_test")}
      />
    ),
  };
  const isLocked = (section: Section) => !hasOptions && section !== "notes";
  const closed = sections.filter((section) => !draft.open.includes(section));
  return (
    <>
      {sections
        .filter((section) => draft.open.includes(section))
        .map((section) => (
          <section key={section} className="option" aria-label={builder.sections[section]}>
            <header>
              <h3>{builder.sections[section]}</h3>
              <TextButton
                aria-label={builder.remove(builder.sections[section])}
                onClick={() => close(section)}
              >
                {builder.removeSection}
              </TextButton>
            </header>
            {parts[section]}
          </section>
        ))}
      {closed.length > 0 && (
        <div ref={more} className="more-options line" role="group" aria-label={builder.more}>
          {closed.map((section) => (
            <Button
              key={section}
              data-section={section}
              disabled={isLocked(section)}
              onClick={() => open(section)}
            >
              + {builder.sections[section]}
              {isLocked(section) && <small>{builder.pro}</small>}
            </Button>
          ))}
        </div>
      )}
      {!hasOptions && <p className="note">{builder.needsPro}</p>}
    </>
  );
}

/** What a part is when it is removed. */
const draftWithout = { notes: "", password: "", expires_at: null, geo_rules: [], ab_test: [] } as const;
