import { useEffect, useId, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { useSettled } from "../../kit/use-settled.ts";

interface Draft {
  name: string;
  description: string;
  accent_color: string | null;
  avatar_url: string | null;
  links: { title: string; url: string }[];
}

/**
 * The page as it will be: the service renders it for a sandboxed frame. Each change gets a frame of its own, which is shown
 * when it has loaded; a frame that loads again would add an entry to the browser's history.
 */
export function Preview({ id, draft }: { id: string; draft: Draft }) {
  const { buckets } = useStrings();
  const text = useSettled(JSON.stringify(draft), 250);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <div className="page-preview stack">
      <h3>{buckets.preview}</h3>
      <div className="phone">
        {shown !== null && shown !== text && <Frame key={shown} id={id} draft={shown} />}
        <Frame key={text} id={id} draft={text} isLoading={shown !== text} onLoad={() => setShown(text)} />
      </div>
    </div>
  );
}

interface FrameProps {
  id: string;
  draft: string;
  isLoading?: boolean;
  onLoad?: () => void;
}

function Frame({ id, draft, isLoading = false, onLoad }: FrameProps) {
  const { buckets } = useStrings();
  const name = useId();
  const [isSent, setIsSent] = useState(false);
  useEffect(() => {
    post("/buckets/preview", name, { id, draft });
    setIsSent(true);
  }, [name, id, draft]);
  return (
    <iframe
      name={name}
      sandbox=""
      title={buckets.preview}
      className={isLoading ? "loading" : undefined}
      // The first load is that of the empty frame.
      onLoad={() => isSent && onLoad?.()}
    />
  );
}

/** Sends a form into a frame. The form is outside of the page's forms, which must not contain others. */
function post(action: string, target: string, fields: Record<string, string>): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action, target, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
