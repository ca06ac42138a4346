import { useStrings } from "../words/strings.tsx";
import { copyAndSay } from "./clipboard.ts";
import { Icon } from "./Icon.tsx";
import { TextButton } from "./Button.tsx";

/** Copies a text, and says so; `name` is said instead of a text that is long or secret. */
export function useCopy(): (text: string, name?: string) => Promise<void> {
  const { links } = useStrings();
  return (text, name = text) => copyAndSay(text, links.copied(name), links.notCopied(name));
}

export function CopyButton({ text }: { text: string }) {
  const { links } = useStrings();
  const copy = useCopy();
  return (
    <TextButton className="copy" aria-label={links.copy(text)} onClick={() => void copy(text)}>
      <Icon name="copy" />
    </TextButton>
  );
}
