import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "../kit/api/api.ts";
import { router } from "./router.tsx";
import { watchTyping } from "./session/typed.ts";
import { StringsProvider } from "../words/strings.tsx";
import { applyTheme, storedTheme } from "../kit/theme.ts";
import { allowEmptyHtml } from "./trusted-types.ts";
import "../style/style.ts";

allowEmptyHtml();
applyTheme(storedTheme());
watchTyping();

const element = document.getElementById("root");
if (!element) throw new Error("The page has no element with the id root");
createRoot(element).render(
  <StrictMode>
    <StringsProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StringsProvider>
  </StrictMode>,
);
