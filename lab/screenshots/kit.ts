import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startDev } from "../../apps/console/build/dev.ts";
import { launchBrowser } from "../../packages/testkit/src/chromium.ts";

/** `npm --prefix lab run kit -- [FOLDER]` photographs the console's kit: both themes, two widths, both directions, its dialogs. */

const port = 4320;
const out = process.argv[2] ?? join(import.meta.dirname, "../../.data/kit");
await mkdir(out, { recursive: true });
// The kit asks for nothing that a service would answer.
const server = await startDev({ service: "http://localhost:1", port });
const browser = await launchBrowser();

const views = { kit: "say", rtl: "dir=rtl", confirm: "open=confirm", panel: "open=panel" };

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [390, 1000])
    for (const [name, query] of Object.entries(views)) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      await page.goto(`http://localhost:${port}/kit?${query}`);
      await page.getByRole("heading", { name: "Dialogs", includeHidden: true }).waitFor();
      if (query.startsWith("open")) await page.getByRole("dialog").waitFor();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("DOM.enable");
      await devtools.send("CSS.enable");
      const { root } = await devtools.send("DOM.getDocument");
      for (const state of ["hover", "focus-visible"]) {
        const selector = `[data-state=${state}]`;
        const { nodeIds } = await devtools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector });
        for (const nodeId of nodeIds)
          await devtools.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: [state] });
      }
      const path = join(out, `${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path, animations: "disabled", fullPage: !query.startsWith("open") });
      await page.close();
    }

await browser.close();
await server.close();
console.log(out);
