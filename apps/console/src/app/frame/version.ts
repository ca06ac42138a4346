import { useEffect, useState } from "react";

/** Milliseconds between two questions */
const atMostEvery = 60_000;

/** The console's first script, whose name is that of its content. */
const ownScript = document.querySelector('script[type="module"]')?.getAttribute("src");

/** Whether the service has a newer console than this page. False if it does not answer. */
export async function isOutdated(): Promise<boolean> {
  try {
    const page = await fetch("/", { cache: "no-cache" }); // 304 while it is the same
    return page.ok && typeof ownScript === "string" && !(await page.text()).includes(`"${ownScript}"`);
  } catch {
    return false;
  }
}

/** Whether there is a newer console; asks whenever the page comes back to the front, once a minute at most. */
export function useNewVersion(): boolean {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (isNew) return undefined;
    let askedAt = Date.now();
    const ask = async () => {
      if (document.visibilityState !== "visible" || Date.now() - askedAt < atMostEvery) return;
      askedAt = Date.now();
      setNew(await isOutdated());
    };
    const onChange = () => void ask();
    document.addEventListener("visibilitychange", onChange);
    addEventListener("focus", onChange);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
      removeEventListener("focus", onChange);
    };
  }, [isNew]);
  return isNew;
}
