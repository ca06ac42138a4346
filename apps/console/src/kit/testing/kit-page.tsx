import { createRoot } from "react-dom/client";
import { say } from "../toasts.tsx";
import "../../style/style.ts";
import { Around } from "./Around.tsx";
import { Kit, type Opened } from "./Kit.tsx";

/** `npm run dev` shows it at /kit; `?open=confirm` or `?open=panel` opens a dialog, `?dir=rtl` turns it round. */

const query = new URLSearchParams(location.search);
document.documentElement.dir = query.get("dir") ?? "ltr";

const element = document.getElementById("root");
if (!element) throw new Error("The page has no element with the id root");
createRoot(element).render(
  <Around>
    <main>
      <Kit open={query.get("open") as Opened} />
    </main>
  </Around>,
);
if (query.has("say")) say("Deleted 50 links.", () => {});
