/** One pattern, in any case, for texts that match one of these. */
export const anyOf = (patterns: readonly RegExp[]) =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "i");

/** Kinds of devices that reports name; "other" is a watch, headset, car, reader, camera … */
export const devices = ["desktop", "mobile", "tablet", "tv", "console", "other"] as const;
export type Device = (typeof devices)[number];

const desktops = new Set(["Windows", "macOS", "Linux", "Chrome OS", "FreeBSD", "OpenBSD", "NetBSD"]);

/** Systems of no television: they are not searched for one. */
const neverTelevisions = new Set(["iOS", "macOS", "Windows", "Chrome OS"]);

const consoles = /\b(?:playstation|xbox|nintendo|ouya|dreamcast|sega)/i;

/** Televisions, boxes and sticks, by what they or their browsers call themselves, on any system. */
const televisions = anyOf([
  /smart-?_?tv|(?:google|g00gle|android|apple|opera|inet|internet\.?) ?tv|hbbtv|webtv|webos\.tv|\bweb0s\b|netcast|\btizen[^)]*\btv\b/,
  /\bce-html\b|\bnettv\b|netrange|\bvidaa\b|\bviera\b|\bbravia\b|aquosbrowser|\bs?v?p?-?dtv\b|\bsonydtv|\bstb(?:\b|app|_)|\baft[a-z]{1,5}\b/,
  /\broku\b|\bcrkey\b|chromecast|large screen|maple ?\d|inettvbrowser|dlnadoc|kreatv|\btivo|\bvizio\b|brightsign|\bwpe sky|avui\/tv/,
  // Opera's browser for devices, and its way to write the maker, the model and the connection.
  /\bomi\/|andr0id|qtembedded|\bmb9\d\/|, ?(?:wired|wireless)\)/,
]);

/** The same for Android, in the model's name: a kind, a family of boxes, or a size in inches where televisions write it. */
const televisionModels = anyOf([
  /(?<!d|[ -]v)tv(?:\b(?!m)|_|box)|\b(?:td|p|aquos[-_]|kogan|beyond|haiera|i)tv|\batv|(?<!turbo|runbo)box(?!x)(?:\b|_|d?\d)|[ _-]shell[ _]|streamer/,
  /\bstick\b|\bdongle\b|media ?player|\bmitv|\bshield android|\badt-\d|nexus player|rombica|ugoos|vontar|\bneo[ -][uxtz]\d|minix|formuler|zidoo|beelink/,
  /gt-?king|gt1-?mini|mecool|(?<!tecno )\bkm\d(?:pro| pro)?$|\bk[i]+\d? (?:pro|plus)|a95x|\bh96(?=$|[ _mp])|\bx96(?!pro)|\bx88pro|\bhk1\b|\btx[356]s? ?(?:mini|max|pro)?$/,
  /\bt95(?!\d)|\bmxq|\bm8s(?:\+| (?:max|plus|pro))|tanix|nexbox|nexon|iconbit (?!matrix)|evpad|orbsmart|vorke|ozone ?hd|dreamstar|matador|\bkant-|movix|toucan/,
  /yndx-00(?!0sb)|\bvim\d\b|\brkm\b|transpeed|alfawise|andowl|skystream|\bas_?4k|\bgtx-|\batom-\d|selenga|\bpolar(?:line)?_|harper|hartens|\bhty-|hiberg|yuhd/,
  /vhix|\bvmp-?0|perfeo_pf|centek|\bct-8\d{3}|starwind|lex[_-]\d{4}|\bh-dmp|\btle-|\bmlt\d\d|yundoo|technosat|hiremco|invin|\btox\d|\bnv7\d\dw?|\bsd(?:ott|stb)\d|\bdv\d{4}/,
  /\babx-\d|\btb-[gpb]o?\d\d?\b|\bec610\dv|\bgi (?:fly|uni)|\bamigo7|\bs900_?pro|\bsbdv-|\bnetta \d|\bas51\d\b|\bott\b|[fhu]1ydx|\btv\d{3}|\bstb\d|-stream\b|smart ?4k|[a-z]pc (?:pro|live)\b/,
  // 43U800BR, 32LH1210, 55UCY1, H32F8000Q, TD50UFGCV1, PTV32SS04Z, Q65YK-MG
  /(?:^|[ _-])(?:2[248]|3[29]|4[02389]|5[0158]|6[05]|7[057]|8[256]|98)(?:[a-z]{1,4}\d{2,4}|[a-z]{2,4}\d\b|\d[a-z]{3})/,
  /(?:^|[ _-])(?:t[dq]|[a-z]tv|tdtv|w?ud|bt_|t[cd]?|[fhupqkcv])(?:2[248]|3[29]|4[02389]|5[0158]|6[05]|7[057]|8[256]|98)(?:[efhuqrlg][a-z]{0,4}\d{1,4}|[a-z]{2,4}\d|y[kfh]-|\w+led)/,
  /[ _-](?:led|uled|qled|lcd)[ _-]?\d\d|\b(?:led|e?led|ulx|[a-z]{2,3}-)(?:2[248]|3[29]|4[02389]|5[0158]|6[05]|7[057])[a-z]{1,4}\d{2,}|\beled-|uhd$/,
]);

/** Tablets that say Mobile: many 7 inch ones, and every web view of an app. By a word, or by a maker's numbering. */
const tabletModels = anyOf([
  /(?<!cool|tech ?|kli|\bg)pad(?:\b|_|\d)|(?:\b|_)tab(?:\b|_|\d|let)|[a-z]tab\b|tablet|\bslate|mediapad|\bkindle|\bmid[-_]?\d|\bhtc[ _]flyer|readboy|\bnavitel[ _]t/,
  /\bsm-[txp]\d|\bgt-p\d|\bgt-n\d{4}|\bsch-i[89]00|\bshv-e230|\bsgp\d|\bxoom|\bnexus (?:7|9|10)\b|\bpixel c\b|\bkf[a-z]{2,4}\b/,
  /\b(?:tb|yt)\d?-\w|\blenovo ?a(?:3[35]00|5500|7600|2107)|\bme\d{3}|\btf\d{3}|\bp(?:00|01|02)\w\b|\blg-?[vu]k?\d{3}|\blm-t\d/,
  /\b(?:ags|bah|kob|jdn|sht|vrd|mrx|scm|scmr|dby|wgr|agr|btk|bz[a-z]|hdl|rod|hey|ndl|cmr|bg2|bgo|mon|agm3)\d?-[wlan]l?\d\d/,
  /\biplay|\b(?:optima|plane|citi|sky|kids|pulse)[ _].*\b[cptw]?s\d{4}[mp]|\bbq(?:ru)?-[1789]\d{3}|\bpm[tp]\d{4}|\b[89]0\d\dx?_|\bnomi[ _]c0[78]|\bt1\d{2}\b/,
]);

/**
 * Returns the kind of device: `type` is the parser's word, `os` one of our names, `mobile` the client hint, if there is
 * one. Null if nothing tells.
 */
export function deviceOf(
  type: string | undefined,
  os: string | null,
  userAgent: string,
  mobile?: boolean,
): Device | null {
  if (type === "console" || consoles.test(userAgent)) return "console";
  if (type === "smarttv" || (!(os !== null && neverTelevisions.has(os)) && televisions.test(userAgent)))
    return "tv";
  if (os === "Android" && type !== "wearable") {
    const model = modelOf(userAgent);
    if (televisionModels.test(model)) return "tv";
    if (tabletModels.test(model)) return "tablet";
  }
  if (type === "mobile" && mobile === false) return "tablet";
  if (type === "mobile" || type === "tablet") return type;
  if (type !== undefined) return "other";
  if (/iemobile|ucweb.*mobile/i.test(userAgent)) return "mobile";
  if (os === null) return null;
  if (desktops.has(os)) return "desktop";
  if (os === "iOS") return "mobile";
  // Android's rule: phones say Mobile, tablets do not. Opera Mini predates it.
  if (os === "Android" || os === "HarmonyOS")
    return (mobile ?? /mobile|opera mini/i.test(userAgent)) ? "mobile" : "tablet";
  return "other";
}

/** The model in an Android agent, with its build: what follows the system's version and the language. */
function modelOf(userAgent: string): string {
  const [, model = ""] = /\bandroid[^;()]*;(?: [a-z]{2}(?:[-_][a-z]{2})?;)? ?([^)]*)/i.exec(userAgent) ?? [];
  return model.replace(/ build\/.*$/i, "");
}
