import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startDev } from "@terse/console/dev";

/** `npm run dev`: the service, restarted on every change, and its console with hot replacement on a port of its own. */

const root = join(import.meta.dirname, "..");
const port = Number(process.env.HTTP_PORT ?? 3000);
const consolePort = Number(process.env.CONSOLE_PORT ?? 5173);

const program = ["--watch", "--max-semi-space-size=8", join(root, "apps/standalone/src/main.ts")];
const service = spawn(process.execPath, program, { cwd: root, stdio: "inherit" });
const server = await startDev({ service: `http://localhost:${port}`, port: consolePort });
console.log(`The console with hot replacement: http://localhost:${consolePort}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill(signal));
const [code] = (await once(service, "exit")) as [number | null];
await server.close();
process.exit(code ?? 0);
