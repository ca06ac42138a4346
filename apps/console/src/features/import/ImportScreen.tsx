import { inWorkspace } from "../../kit/api/workspace.ts";
import { useMe } from "../../kit/api/account.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { ChooseFile, type FileText } from "./ChooseFile.tsx";
import { type Job, storageOf } from "./job.ts";
import { Preview } from "./Preview.tsx";
import { Progress } from "./Progress.tsx";
import { ServerImports } from "./ServerImports.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";
import "./import.css";

/** Import of links from a file: choose it, check what is in it, create the links, and save what became of them. */
export function ImportScreen() {
  const { importing, places } = useStrings();
  const me = useMe();
  const accountId = me.data?.id;
  return (
    <>
      <ScreenHeader title={places.import}>
        <a className="button secondary" href={inWorkspace("/v1/links/export?format=csv&bom=true")} download>
          {importing.export}
        </a>
      </ScreenHeader>
      {accountId !== undefined && <Steps key={accountId} accountId={accountId} />}
      <ServerImports />
    </>
  );
}

function Steps({ accountId }: { accountId: string }) {
  const storage = useMemo(() => storageOf(accountId), [accountId]);
  const [file, setFile] = useState<FileText | null>(null);
  /** Undefined until the browser's storage was read */
  const [job, setJob] = useState<Job | null>();
  useEffect(() => {
    void storage.job().then((found) => setJob(found ?? null));
  }, [storage]);
  const restart = async () => {
    await storage.clear();
    setFile(null);
    setJob(null);
  };
  const step = job === undefined ? null : job ? "progress" : file ? "preview" : "choice";
  const steps = useFocusOnStep(step);
  return (
    <div ref={steps}>
      {job && <Progress storage={storage} initial={job} restart={() => void restart()} />}
      {step === "choice" && <ChooseFile onRead={setFile} />}
      {job === null && file && (
        <Preview
          file={file}
          back={() => setFile(null)}
          begin={async (begun, rows, refused) => {
            await storage.begin(begun, rows, refused);
            setJob(begun);
          }}
        />
      )}
    </div>
  );
}

/** Moves the focus to where each further step begins, since what had it is no longer there. */
function useFocusOnStep(step: string | null) {
  const steps = useRef<HTMLDivElement>(null);
  const before = useRef<string>(null);
  useEffect(() => {
    if (before.current !== null && step !== null)
      steps.current?.querySelector<HTMLElement>("[data-step]")?.focus();
    before.current = step;
  }, [step]);
  return steps;
}
