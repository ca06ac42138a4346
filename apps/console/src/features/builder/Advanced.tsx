import { later, skeleton } from "../../kit/later.tsx";
import { type ComponentType, useState } from "react";
import type { Strings } from "../../words/en.ts";
import { useStrings } from "../../words/strings.tsx";
import type { Draft } from "./draft.ts";
import type { Errors } from "../../kit/issues.ts";

export interface GroupProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  hasOptions: boolean;
  errors: Errors;
}

/** Options that belong together and that few links have. */
interface Group {
  name: keyof Strings["advanced"]["groups"];
  /** The fields of the API whose errors it shows */
  fields: readonly string[];
  /** True if the draft has one of its options, so that it must be in view */
  isSet: (draft: Draft) => boolean;
  /** Loaded when it is shown */
  Content: ComponentType<GroupProps>;
}

/** In the order in which they are shown. A group is an entry here, and a component in a file of its own. */
const groups: readonly Group[] = [
  {
    name: "rules",
    fields: ["rules"],
    isSet: ({ rules }) => rules.length > 0,
    Content: later(() => import("./rules/RulesGroup.tsx"), "RulesGroup", skeleton),
  },
  {
    name: "limits",
    fields: ["starts_at", "click_limit", "fallback_url"],
    isSet: ({ starts_at, click_limit, fallback_url }) =>
      starts_at !== null || click_limit !== "" || fallback_url !== "",
    Content: later(() => import("./Limits.tsx"), "Limits", skeleton),
  },
  {
    name: "forwarding",
    fields: ["redirect_status", "forward_query", "forward_path"],
    isSet: (draft) => draft.redirect_status !== 302 || draft.forward_query !== "none" || draft.forward_path,
    Content: later(() => import("./Forwarding.tsx"), "Forwarding", skeleton),
  },
  {
    name: "linkPreview",
    fields: ["preview"],
    isSet: ({ preview }) => Object.values(preview).some((text) => text !== ""),
    Content: later(() => import("./LinkPreview.tsx"), "LinkPreview", skeleton),
  },
];

/** The options that few links have: closed unless the link has one of them, or one has an error. */
export function Advanced(props: GroupProps) {
  const { advanced } = useStrings();
  const { draft, errors } = props;
  const [isOpen, setOpen] = useState(() => groups.some(({ isSet }) => isSet(draft)));
  const isWrong = ({ fields }: Group) =>
    Object.keys(errors).some((path) => fields.includes(path.split(".", 1)[0] ?? ""));
  const isShown = isOpen || groups.some(isWrong);
  return (
    <details
      className="advanced"
      open={isShown}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {advanced.title}
        <small>{advanced.list(groups.map(({ name }) => advanced.groups[name]))}</small>
      </summary>
      {isShown &&
        groups.map(({ name, Content }) => (
          <section key={name} className="option" aria-label={advanced.groups[name]}>
            <h3>{advanced.groups[name]}</h3>
            <Content {...props} />
          </section>
        ))}
    </details>
  );
}
