import { decodeFile } from "@terse/importers";
import { useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { Button } from "../../kit/Button.tsx";

/** The text of a file, or what was pasted, whose name is empty. */
export interface FileText {
  name: string;
  text: string;
}

/** More than that is a file of another kind. */
const maxBytes = 100 * 1024 * 1024;

/** Reads a file's text. Returns why it cannot be read; null if it is too large. */
async function readText(source: File | string): Promise<FileText | { refusal: string | null }> {
  if (typeof source === "string") return { name: "", text: source };
  if (source.size > maxBytes) return { refusal: null };
  const decoded = decodeFile(new Uint8Array(await source.arrayBuffer()));
  return "refusal" in decoded ? decoded : { name: source.name, text: decoded.text };
}

interface ChooseFileProps {
  onRead: (file: FileText) => void;
}

/** Takes a CSV or JSON file that is chosen or dropped, or pasted text. */
export function ChooseFile({ onRead }: ChooseFileProps) {
  const { importing } = useStrings();
  const [text, setText] = useState("");
  const [isOver, setIsOver] = useState(false);
  const [fault, setFault] = useState<string>();
  async function read(source: File | string) {
    try {
      const file = await readText(source);
      if ("refusal" in file)
        setFault(file.refusal === null ? importing.tooLarge : importing.refusedFile(file.refusal));
      else if (file.text.trim() === "") setFault(importing.empty);
      else onRead(file);
    } catch {
      setFault(importing.unreadable);
    }
  }
  return (
    <div className="import-choose">
      <p className="soft">{importing.lead}</p>
      <label
        className={isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          const [file] = event.dataTransfer.files;
          if (file) void read(file);
        }}
      >
        <b>{importing.choose}</b>
        <span className="soft">{importing.drop}</span>
        <input
          type="file"
          data-step
          accept=".csv,.tsv,.txt,.json,.jsonl,text/csv,text/plain,application/json"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void read(file);
          }}
        />
      </label>
      <form
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          void read(text);
        }}
      >
        <label htmlFor="import-text">{importing.paste}</label>
        <textarea
          className="input"
          id="import-text"
          rows={6}
          value={text}
          placeholder={importing.pasteExample}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="actions">
          <Button type="submit" disabled={text.trim() === ""}>
            {importing.continue}
          </Button>
        </div>
      </form>
      <Wrong>{fault}</Wrong>
      <p className="note">{importing.sources}</p>
    </div>
  );
}
