import { useMutation } from "@tanstack/react-query";
import { maxImportBytes, maxImportRows, type SentLink as Sent } from "@terse/core/browser";
import { api, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import { useStrings } from "../strings/strings.tsx";
import type { Table } from "./read.ts";
import { startImport } from "./send.ts";

export const isJson = (file: File): boolean => /\.json$/i.test(file.name);

/** Whether the service takes a file with so many links at once. */
export const isTaken = (file: Blob, links: number): boolean =>
  file.size <= maxImportBytes && links <= maxImportRows;

/** What is sent: the file as it is, or its links, if columns were chosen by hand. */
export function fileFor({ source }: Pick<Table, "source">, chosen: readonly Sent[] | null): Blob {
  if (chosen === null) {
    const type = typeof source !== "string" && isJson(source) ? "application/json" : "text/csv";
    return new Blob([source], { type });
  }
  // The domain is sent beside the file.
  const links = chosen.map((link) => ({ ...link, domain: undefined }));
  return new Blob([JSON.stringify(links)], { type: "application/json" });
}

/** Hands an import to the service. `done` is called when that has begun. */
export function useBackgroundImport(done: () => void) {
  const { importing } = useStrings();
  return useMutation({
    mutationFn: ({ file, domain }: { file: Blob; domain: string | null }) => startImport(file, domain),
    onSuccess: async () => {
      say(importing.begun);
      await queryClient.invalidateQueries(api.jobs.pathFilter());
      done();
    },
    onError: ({ message }) => say(message),
  });
}
