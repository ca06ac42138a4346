import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import { Icon } from "./Icon.tsx";

/** Copies a text, and says so; `name` is said instead of a text that is long or secret. */
export function useCopy(): (text: string, name?: string) => Promise<void> {
  const { links } = useStrings();
  return async (text, name = text) => {
    await navigator.clipboard.writeText(text);
    say(links.copied(name));
  };
}

export function CopyButton({ text }: { text: string }) {
  const { links } = useStrings();
  const copy = useCopy();
  return (
    <button
      type="button"
      className="plain copy"
      aria-label={links.copy(text)}
      onClick={() => void copy(text)}
    >
      <Icon name="copy" />
    </button>
  );
}
