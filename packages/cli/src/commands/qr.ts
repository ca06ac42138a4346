import { extname } from "node:path";
import { create } from "qrcode";
import { type Command, UsageError } from "../command.ts";
import { idOf } from "../link.ts";
import { saved } from "../save.ts";

export const qr: Command = {
  name: "qr",
  args: "LINK",
  summary: "Show the QR code of a link, or save it",
  details:
    "Without --output the code is drawn in the terminal. A file has the style of the link's QR code (--qr of shorten and edit), unless --color is given.",
  options: {
    output: {
      value: "FILE",
      help: "File to write, ending in .svg or .png; - is standard output",
      short: "o",
      isFile: true,
    },
    format: { value: "FORMAT", help: "Format of standard output; default svg", choices: ["svg", "png"] },
    size: { value: "PIXELS", help: "Width of the file, from 32 to 4096" },
    color: { value: "COLOR", help: "Colour of the file's modules, such as 003366" },
    invert: { help: "Swap light and dark, for a light terminal without colours" },
  },
  examples: ["terse qr launch", "terse qr launch -o launch.png --size 600"],
  async run(call) {
    const { args, client, terminal, text, count, is } = call;
    const file = text("output");
    const format = file === undefined ? null : formatOf(file, text("format"));
    const id = await idOf(call, args[0] ?? "");
    if (file !== undefined && format !== null) {
      await saved(await client.links.qr({ id, format, size: count("size"), color: text("color") }), file);
      if (file === "-") return;
      return terminal.isJson ? terminal.json({ file }) : terminal.print(file);
    }
    const { shortUrl } = await client.links.get({ id });
    if (terminal.isJson) return terminal.json({ shortUrl });
    for (const line of halfBlocks(shortUrl, is("invert") && !terminal.hasColors)) {
      // Black on white, whatever the colours of the terminal are.
      terminal.draw(terminal.hasColors ? `\u001B[38;5;231;48;5;16m${line}\u001B[0m` : line);
    }
    terminal.print(shortUrl);
  },
};

/** @throws {UsageError} if the name of the file ends in another way, or differs from the requested format */
function formatOf(file: string, given: string | undefined): "svg" | "png" {
  const ending = file === "-" ? (given ?? "svg") : extname(file).slice(1).toLowerCase();
  const format = (["svg", "png"] as const).find((each) => each === ending);
  if (format === undefined) throw new UsageError(`--output: ${file} must end with .svg or .png`);
  if (given !== undefined && given !== format)
    throw new UsageError(`--output: ${file} must end with .${given}, as --format says`);
  return format;
}

/** Two modules in each character, with the quiet zone. Light modules are drawn, because most terminals are dark. */
function halfBlocks(content: string, isInverted: boolean): string[] {
  const { modules } = create(content, { errorCorrectionLevel: "M" });
  const margin = 4;
  const size = modules.size + 2 * margin;
  const isInside = (at: number) => at >= margin && at < size - margin;
  const isDark = (x: number, y: number) =>
    isInside(x) && isInside(y) && Boolean(modules.get(y - margin, x - margin));
  const isDrawn = (x: number, y: number) => y < size && isDark(x, y) === isInverted;
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (_module, x) => {
      const upper = isDrawn(x, 2 * line);
      const lower = isDrawn(x, 2 * line + 1);
      return upper ? (lower ? "█" : "▀") : lower ? "▄" : " ";
    }).join(""),
  );
}
