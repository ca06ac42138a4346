import { maxLength } from "../../kernel/memo.ts";
import { namesOf } from "./names.ts";
import { parseAgent } from "./user-agent.ts";

/** Kinds of bots: programs that make previews, search, train or answer with AI, monitor, or do something else. */
export const botClasses = ["preview", "search", "ai", "monitor", "tool", "prefetch", "other"] as const;
export type BotClass = (typeof botClasses)[number];

/** Why a visit counts as a bot's. */
export interface BotReason {
  bot: BotClass;
  /** The program, or the sign that decided; from a closed set, so that senders cannot invent more */
  rule: string;
}

/** Programs by class, each with the words that name it in user agents, in any case. */
const programs = {
  search: `
    360 Search = 360spider
    Apple = applebot
    Baidu = baiduspider
    Bing = bingbot, bingpreview, adidxbot, msnbot
    Brave = bravebot
    Coc Coc = coccocbot
    Daum = daumoa, daum/
    DuckDuckGo = duckduckbot, duckduckgo-favicons-bot
    Google = googlebot, google-inspectiontool, storebot-google, adsbot-google, mediapartners-google, googleother, \
apis-google, feedfetcher-google, google-site-verification, google favicon, google-safety, google-read-aloud
    Kagi = kagibot
    Mail.ru = mail.ru_bot
    Marginalia = marginalia.nu
    Mojeek = mojeekbot
    Naver = yeti/, naverbot
    Petal = petalbot, aspiegelbot
    Qwant = qwantify, qwantbot
    Seekport = seekport
    Seznam = seznambot
    Sogou = sogou web spider, sogou inst spider, sogou pic spider
    Startpage = startpage
    Yahoo = yahoo! slurp, y!j-
    Yandex = yandex.com/bots, yandexbot, yandeximages, yandexmobilebot
    Yisou = yisouspider
  `,
  ai: `
    Ai2 = ai2bot
    Amazon = amazonbot, amzn-user, amzn-searchbot
    Anthropic = claudebot, claude-user, claude-searchbot, claude-web, anthropic-ai
    ByteDance = bytespider, tiktokspider
    ChatGLM = chatglm-spider
    Cohere = cohere-ai, cohere-training
    Common Crawl = ccbot
    DeepSeek = deepseekbot
    Devin = devin/
    Diffbot = diffbot
    DuckAssist = duckassistbot
    Firecrawl = firecrawl
    Google AI = google-extended, gemini-deep-research, google-notebooklm, google-cloudvertexbot
    Huawei = pangubot
    iAsk = iaskspider, iaskbot
    Linkup = linkupbot
    Meta AI = meta-externalagent
    Mistral = mistralai-user
    OpenAI = gptbot, oai-searchbot, chatgpt-user
    Perplexity = perplexitybot, perplexity-user, perplexityuser
    Phind = phindbot
    Tavily = tavilybot
    Timpi = timpibot
    You.com = youbot
  `,
  monitor: `
    Better Stack = better uptime bot, betteruptimebot, better stack
    Catchpoint = catchpoint
    Checkly = checkly
    Cloudflare = cloudflare-healthchecks, cloudflare-traffic-manager, cloudflare-alwaysonline
    cron-job.org = cron-job.org
    Datadog = datadogsynthetics, datadog synthetic, datadog agent
    Dynatrace = ruxitsynthetic
    Freshping = freshpingbot
    Google Cloud = googlehc, googlestackdrivermonitoring
    GTmetrix = gtmetrix
    HetrixTools = hetrixtools
    Honeybadger = honeybadger
    Jetpack = jetmon
    Kubernetes = kube-probe
    Lighthouse = chrome-lighthouse, pagespeed
    Load balancer = elb-healthchecker
    Nagios = check_http
    New Relic = newrelicsynthetics, newrelicbot
    NodePing = nodeping
    Oh Dear = ohdear
    Pingdom = pingdom
    Prometheus = blackbox exporter, blackbox-exporter
    PRTG = prtg
    Sentry = sentryuptimebot, sentry/
    Site24x7 = site24x7
    StatusCake = statuscake
    ThousandEyes = thousandeyes
    updown.io = updown.io
    Uptime Kuma = uptime-kuma
    Uptime.com = uptime.com
    UptimeRobot = uptimerobot
    Uptrends = uptrends
    W3C = w3c_validator, w3c-checklink, validator.nu
    Zabbix = zabbix
  `,
  tool: `
    axios = axios
    curl = curl/
    .NET = restsharp, dotnet, powershell/
    Dart = dart/, dart:io
    Go = go-http-client, colly
    HTTPie = httpie
    HTTrack = httrack
    Insomnia = insomnia
    Java = java/, apache-httpclient, okhttp, jersey/, ahc/, httpurlconnection, reactornetty
    Microsoft Office = ms-office, msoffice, microsoft office
    Node.js = node-fetch, undici, sindresorhus/got, jsdom/, node.js
    Perl = libwww-perl, lwp-, anyevent
    PHP = guzzlehttp, php/, php-curl-class
    Postman = postmanruntime
    Python = python-requests, python-urllib, aiohttp, httpx, python/, scrapy, trafilatura
    Ruby = faraday, ruby, typhoeus, mechanize
    Wget = wget
  `,
  other: `
    Ahrefs = ahrefsbot, ahrefssiteaudit
    Censys = censysinspect
    DataForSEO = dataforseobot
    Expanse = expanseinc, palo alto
    Feedbin = feedbin
    Feedly = feedly
    Internet Archive = archive.org_bot, ia_archiver
    Inoreader = inoreader
    Majestic = mj12bot
    Moz = dotbot, rogerbot
    NewsBlur = newsblur
    Screaming Frog = screaming frog
    Semrush = semrushbot, siteauditbot
    zgrab = zgrab
  `,
} as const satisfies Partial<Record<BotClass, string>>;

const reasons = new Map<string, BotReason>();
for (const [bot, table] of Object.entries(programs) as [BotClass, string][]) {
  for (const [word, rule] of namesOf(table)) reasons.set(word, { bot, rule });
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Longer words first, so that none is hidden by its own beginning. */
const anyWord = new RegExp(
  [...reasons.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join("|"),
  "i",
);

/** Returns what kind of program a user agent names; the agent is known to be a bot's. */
export function programOf(userAgent: string): BotReason {
  const text = userAgent.slice(0, maxLength);
  if (text.trim() === "") return { bot: "tool", rule: "no user agent" };
  const preview = previewProgramIn(text);
  if (preview !== null) return { bot: "preview", rule: preview };
  const [word] = anyWord.exec(text) ?? [];
  const known = word === undefined ? undefined : reasons.get(word.toLowerCase());
  if (known) return known;
  if (/headless|phantomjs|slimerjs|puppeteer|playwright|selenium/i.test(text)) return headless;
  return { bot: "other", rule: "other program" };
}

/** A browser whose hints say that a program controls it. */
export const headless: BotReason = { bot: "tool", rule: "headless browser" };

/** Bits of a click's flags, of which the log stores sixteen. A HEAD request: a tool that checks the link. */
export const HEAD = 1;
/** A browser that loads the page before a visit, which may never happen. */
export const PREFETCH = 2;
/** The page is loaded for a preview only. */
export const PREVIEW = 4;
/** An imported click that the service it comes from took for a bot's. */
export const REPORTED = 8;

const flagReasons: readonly (readonly [flag: number, reason: BotReason])[] = [
  [REPORTED, { bot: "other", rule: "reported by an import" }],
  [PREFETCH, { bot: "prefetch", rule: "prefetch by a browser" }],
  [PREVIEW, { bot: "prefetch", rule: "preview by a browser" }],
  [HEAD, { bot: "tool", rule: "HEAD request" }],
];

/** Returns why the visit of a person's browser counts as a bot's, by the bits of `requestFlags`. */
export const reasonOfFlags = (flags: number): BotReason =>
  flagReasons.find(([flag]) => (flags & flag) !== 0)?.[1] ?? { bot: "other", rule: "other program" };

/** Programs by which chats, social networks and mail show the preview of a link. */
const previewPrograms: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Instagram and Messenger, too; also iMessage, LINE and KakaoTalk, which add their names or nothing.
  ["Facebook", /facebookexternalhit|facebot|meta-externalfetcher/i],
  ["X", /twitterbot/i],
  ["LinkedIn", /linkedinbot/i],
  ["Pinterest", /pinterest(?:bot)?\//i],
  ["Reddit", /redditbot/i],
  ["Tumblr", /tumblr\//i],
  ["VK", /vkshare/i],
  ["Xing", /xing-contenttabreceiver/i],
  ["Snapchat", /snap url preview/i],
  ["Bluesky", /cardyb/i],
  ["Fediverse", /mastodon\/|pleroma|akkoma|misskey|summalybot|lemmy\/|friendica/i],
  // Signal calls itself WhatsApp.
  ["WhatsApp", /^whatsapp\//i],
  ["Telegram", /telegrambot/i],
  ["Discord", /discordbot/i],
  ["Slack", /slackbot/i],
  ["Microsoft", /skypeuripreview|microsoftpreview/i],
  ["Mattermost", /mattermost-bot/i],
  ["Rocket.Chat", /rocket\.chat/i],
  ["Zulip", /zulipurlpreview/i],
  ["Matrix", /synapse|\bmatrix\b/i],
  ["Google Messages", /google-pagerenderer|google-messages/i],
  ["Embedly", /embedly/i],
  ["Iframely", /iframely/i],
  ["Flipboard", /flipboardproxy/i],
  ["Quora", /quora link preview/i],
  ["Yahoo", /yahoo link preview/i],
];
const preview = new RegExp(previewPrograms.map(([, { source }]) => source).join("|"), "i");

/** True for the user agent of a program that makes a preview of a link. All of them count as bots. */
export function isLinkPreview(userAgent: string): boolean {
  const text = userAgent.slice(0, maxLength);
  return preview.test(text) && parseAgent(text).bot;
}

/** Names the program of that kind in a bot's user agent; null if it is another one's. */
export function previewProgramIn(userAgent: string): string | null {
  const [words] = preview.exec(userAgent) ?? [];
  if (words === undefined) return null;
  return previewPrograms.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

/** `Sec-Purpose` is from the Fetch standard; the others are its predecessors in Chrome, Safari and Firefox. */
export const purposeHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * Returns the signs that a request is not a person's click, as bits; 0 for a click. `get` takes a header's name in lower
 * case. Link previews of chats and social networks send no such header; they are detected by user agent.
 */
export function requestFlags(method: string, get: (name: string) => string | undefined): number {
  let flags = method === "HEAD" ? HEAD : 0;
  for (const name of purposeHeaders) {
    const purpose = get(name);
    if (!purpose) continue;
    if (/\bpre(?:fetch|render)\b/i.test(purpose)) flags |= PREFETCH;
    if (/\bpreview\b/i.test(purpose)) flags |= PREVIEW;
  }
  return flags;
}
