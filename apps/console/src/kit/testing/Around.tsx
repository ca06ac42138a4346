import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queryClient } from "../api/api.ts";
import { Toasts } from "../toasts.tsx";
import { StringsProvider } from "../../words/strings.tsx";

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** What the console has around every component: texts, data, a router, messages. */
export const Around = ({ children }: { children: ReactNode }) => (
  <StringsProvider>
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        {children}
        <Toasts />
      </RouterContextProvider>
    </QueryClientProvider>
  </StringsProvider>
);
