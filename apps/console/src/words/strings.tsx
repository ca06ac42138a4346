import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { en, type Strings } from "./en.ts";
import { changeLanguage, type LanguageCode, loadTexts } from "./language.ts";
import { keepLanguage, storedLanguage } from "./stored-language.ts";

/** Shows the console in another language. */
let show: (code: LanguageCode) => void;
/** Keeps a language for this and later visits. */
export function storeLanguage(code: LanguageCode): void {
  keepLanguage(code);
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
    const apply = (shown: LanguageCode, loaded: Strings) => {
      now = loaded;
      document.documentElement.lang = shown;
      changeLanguage(shown);
      setStrings(loaded);
    };
    loadTexts(code).then(
      (loaded) => apply(code, loaded),
      // Without its texts, the console stays in the language it has, or starts in English.
      () => now === en && apply("en", en),
    );
  }, [code]);
  return strings && <Context value={strings}>{children}</Context>;
}
