import { isbot } from "isbot";

const anyOf = (patterns: readonly RegExp[]) =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "i");

/** Programs that the package's list does not know. */
const program = anyOf([
  // Office asks for a link's type and loads it before it starts the browser, which then sends the person's click.
  /ms-office|msoffice \d|microsoft office/,
  // Command lines and libraries that name themselves like a browser, or with more after their version.
  /powershell\/|\bdart\/\d|\bdart:io\b|\bjsdom\/|\bslimerjs\/|go-network-v\d|matomotrackersdk/,
  /^(?:reactornetty|mikrotik|artifactory|containerd|cri-o|cygwin-setup|ipinfoclient)\//,
  // Assistants that read a page for a person, who then sees a summary.
  /amzn-user\//,
  // Page tests, screenshots and scanners in a real browser.
  /\bgtmetrix\b|\bminiature\.io\/|\bylt\b|\bassetnote\/|\byunjiankong\b|\bkendra-customer-id\b/,
]);

/** What only people send, although the list sees a bot in it. */
const person = anyOf([
  // Phones from before smartphones list Java profiles and "MAUI (HTTP; HTTPS)", televisions CE-HTML/1.0 or Google TV.
  /^(?!.*(?:compatible;|:\/\/|bot\b|spider|crawl|agent\b)).*(?:midp-\d|\bmaui\b|wap[- _]browser|\bup\.browser\/|\bnetfront\/)/,
  /^(?!.*(?::\/\/|bot\b|spider|crawl)).*(?:smart-?tv|google ?tv|\bhbbtv\/|opera tv store|^opera\/9\.80, )/,
  // UC Browser's own short form, OnePlus's apps, and the bare model of an Apple device.
  /^(?:pf|dv)\([^ ]*ucbrowser/,
  /^\d\.\d\.\d \(linux; u; android [\d.]+; oneplus /,
  /^i(?:phone|pad|pod)[\w,]*$/,
]);

/** Words of browsers and devices in which the list sees a bot; they are removed before it is asked a second time. */
const innocent = [
  // Alipay and others write lists such as the size of the screen, 375|667|3.0.
  /(?<=[\w.])\|(?=[\w.])/g,
  // Instagram and Facebook name the device a second time.
  /\bandroid \(\d[^()]*\)|\bfbdv\/[^;\]]*/gi,
  // Sogou makes browsers for phones and computers; its crawlers call themselves spiders too.
  /sogou/gi,
  // WeChat names the process that shows the page.
  /\bprocess\/tools\w*/gi,
  // Opera for televisions names a component; Radar is a phone with Windows.
  /\.catcher[\d.]+/gi,
  /\bhtc; radar\b/gi,
  // Systems and models with version 1.0, in the place of the device.
  /\b(?:webos|bada|ce-html|rex|gt-[\w-]+)\/1\.0;/gi,
  // Additions to Internet Explorer that other programs installed.
  /\bchromeframe\/|\bqqdownload\b/gi,
  // Programs with a browser in them, which name its maker's site, or themselves like a domain.
  /\bgoogle earth\/|\bembedded web browser from: http:\/\/bsalsa\.com\/|\[air\.com\.[\w.]+\/[\d.]+\]/gi,
];

/** What an Android browser sends in parentheses: the system's version, then language, model and build. */
const androidDevice = /\(((?:linux|android)[^()]*\bandroid[^;()]*;)([^()]*(?:\([^()]*\)[^()]*)*)\)/gi;
/** A bot in that place says so: it is compatible with something, or gives an address or a version. */
const namesBot = /compatible|:\/\/|www\.|@|-google\/|(?:bot|spider|crawler)\/\d/i;

/**
 * True for the user agent of a program: a crawler, a link preview, a tool, an assistant. The package's list decides, with
 * corrections. It searches for words such as "bot" anywhere, so it is asked without the parts that a maker names freely:
 * CUBOT and "Discovery" are phones.
 */
export function isProgram(userAgent: string): boolean {
  if (program.test(userAgent)) return true;
  if (!isbot(userAgent) || person.test(userAgent)) return false;
  const rest = withoutNames(userAgent);
  return rest === userAgent || isbot(rest);
}

function withoutNames(userAgent: string): string {
  let rest = userAgent.replace(androidDevice, (whole, system: string, device: string) =>
    namesBot.test(device) ? whole : `(${system} K)`,
  );
  for (const word of innocent) rest = rest.replace(word, "");
  return rest;
}
