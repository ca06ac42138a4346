import { useMutation } from "@tanstack/react-query";
import { maxImportBytes, maxImportRows } from "@terse/importers";
import { api, queryClient } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { startImport } from "./send.ts";

/** A file as it is sent. The service takes UTF-8. */
export const blobOf = (text: string): Blob =>
  new Blob([text], { type: /^\s*[[{]/.test(text) ? "application/json" : "text/csv" });

/** Whether the service takes a file with so many links at once. */
export const isTaken = (file: Blob, links: number): boolean =>
  file.size <= maxImportBytes && links <= maxImportRows;

/** Hands an import to the service. `done` is called when that has begun. */
export function useBackgroundImport(done: () => void) {
  const { importing } = useStrings();
  return useMutation({
    mutationFn: startImport,
    onSuccess: async () => {
      say(importing.begun);
      await queryClient.invalidateQueries(api.jobs.pathFilter());
      done();
    },
    onError: ({ message }) => say(message),
  });
}
