import { useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { fileFor, useBackgroundImport } from "./background.ts";
import { DomainField } from "./DomainField.tsx";

/** A JSON file of another service, which only the service reads. */
export function JsonFile({ file, back }: { file: File; back: () => void }) {
  const { importing } = useStrings();
  const [domain, setDomain] = useState<string | null>(null);
  const background = useBackgroundImport(back);
  return (
    <div className="import-preview">
      <p data-step tabIndex={-1}>
        <b dir="auto">{file.name}</b> <span className="soft">{importing.unread}</span>
      </p>
      <div className="mapping">
        <DomainField value={domain} onChange={setDomain} />
      </div>
      <div className="actions">
        <button type="button" className="quiet" onClick={back}>
          {importing.another}
        </button>
        <button
          type="button"
          disabled={background.isPending}
          onClick={() => background.mutate({ file: fileFor({ source: file }, null), domain })}
        >
          {importing.background}
        </button>
      </div>
    </div>
  );
}
