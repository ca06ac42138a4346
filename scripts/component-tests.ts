import { join } from "node:path";
import { backgrounds } from "@terse/server";
import { launchOptions } from "../packages/testkit/src/chromium.ts";
import { playwright } from "@vitest/browser-playwright";
import { screensPlugin } from "../apps/console/build/screens.ts";
import { stylesForVite } from "../apps/console/build/style.ts";

/** Tests of the console's components, each beside its component, in a real browser: with its style, without a service. */
export const componentTests = {
  root: join(import.meta.dirname, "../apps/console/src"),
  plugins: [screensPlugin, stylesForVite()],
  define: { PAGE_GROUNDS: JSON.stringify(backgrounds), WORLD_OUTLINES: "null" },
  // Named, not discovered: one that Vite finds while tests run reloads them.
  optimizeDeps: {
    noDiscovery: true,
    include: [
      "@internationalized/date",
      "@tanstack/react-query",
      "@tanstack/react-router",
      "@tanstack/react-virtual",
      "@trpc/client",
      "@trpc/server/observable",
      "@trpc/tanstack-react-query",
      "axe-core",
      "cmdk",
      "d3-scale",
      "d3-shape",
      "idb-keyval",
      "qrcode",
      "react",
      "react-aria-components",
      "react-dom",
      "react-dom/client",
      "react/jsx-dev-runtime",
    ],
  },
  test: {
    name: "components",
    include: ["**/*.test.tsx"],
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: launchOptions(),
        contextOptions: { reducedMotion: "reduce" },
      }),
      instances: [{ browser: "chromium" as const }],
    },
  },
};
