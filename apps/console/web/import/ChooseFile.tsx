import { useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { Wrong } from "../ui/Wrong.tsx";
import { isJson } from "./background.ts";
import { readTable, type Table, TooLarge } from "./read.ts";

interface ChooseFileProps {
  onRead: (table: Table) => void;
  /** For a file that is not read here */
  onJson: (file: File) => void;
}

/** Takes a CSV or JSON file that is chosen or dropped, or pasted text. */
export function ChooseFile({ onRead, onJson }: ChooseFileProps) {
  const { importing } = useStrings();
  const [text, setText] = useState("");
  const [isOver, setIsOver] = useState(false);
  const [fault, setFault] = useState<string>();
  async function read(source: File | string) {
    if (typeof source !== "string" && isJson(source)) return onJson(source);
    try {
      const table = await readTable(source);
      if (table.rows.length === 0) setFault(importing.empty);
      else onRead(table);
    } catch (error) {
      setFault(error instanceof TooLarge ? importing.tooLarge : importing.unreadable);
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
          accept=".csv,.txt,.json,text/csv,text/plain,application/json"
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
          id="import-text"
          rows={6}
          value={text}
          placeholder={importing.pasteExample}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="actions">
          <button type="submit" className="quiet" disabled={text.trim() === ""}>
            {importing.continue}
          </button>
        </div>
      </form>
      <Wrong>{fault}</Wrong>
      <p className="note">{importing.sources}</p>
    </div>
  );
}
