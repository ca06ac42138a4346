import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { en, type Strings } from "./en.ts";

/** Languages by code; every one but English is loaded when it is used. */
const languages: Record<string, () => Promise<Strings>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./de.ts")).de,
};
export const languageCodes = Object.keys(languages);
const key = "terse.language";

export const storedLanguage = (): string => {
  const wanted = [localStorage.getItem(key) ?? "", ...navigator.languages];
  return wanted.map((tag) => tag.split("-")[0] ?? "").find((code) => code in languages) ?? "en";
};

/** Shows the console in another language. */
let show: (code: string) => void;
/** Keeps a language for this and later visits. */
export function storeLanguage(code: string): void {
  localStorage.setItem(key, code);
  show(code);
}

const Context = createContext<Strings>(en);
let now: Strings = en;
/** The same texts as `useStrings`, outside of components. */
export const stringsNow = (): Strings => now;

/** Every text of the console in the user's language. */
export const useStrings = (): Strings => use(Context);

export function StringsProvider({ children }: { children: ReactNode }) {
  const [code, setCode] = useState(storedLanguage);
  const [strings, setStrings] = useState<Strings | null>(code === "en" ? en : null);
  useEffect(() => {
    show = setCode;
    document.documentElement.lang = code;
    void languages[code]?.().then((loaded) => {
      now = loaded;
      setStrings(loaded);
    });
  }, [code]);
  return strings && <Context value={strings}>{children}</Context>;
}
