/** Maps words, in lower case, to our names. Each line is a name, and after "=" the words that stand for it. */
export function namesOf(table: string): ReadonlyMap<string, string> {
  return new Map(
    table
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [name = "", words] = line.trim().split(" = ");
        return (words ?? name).split(", ").map((word): [string, string] => [word.toLowerCase(), name]);
      }),
  );
}

/** A web view in an app that does not name itself counts as the system's browser. */
const browsers = namesOf(`
  360
  Alipay
  Amazon Silk = silk
  Android Browser
  Avast Secure Browser
  AVG Secure Browser
  Baidu
  Brave
  Chrome = chrome, chrome webview, google chrome, android webview
  Chromium
  Coc Coc
  Daum
  DuckDuckGo
  Edge = edge, microsoft edge
  Electron
  Facebook
  Firefox = firefox, firefox focus, firefox reality, fennec, klar
  GNOME Web = epiphany
  Google App = gsa
  HeyTap Browser = heytap
  Huawei Browser
  Instagram
  Internet Explorer = ie, iemobile
  KakaoTalk = kakaotalk, kakaostory
  Kindle
  Klarna
  Konqueror
  Lenovo Browser = smart lenovo browser
  LibreWolf
  Line
  LinkedIn
  Maxthon
  MIUI Browser
  Naver
  Oculus Browser
  Opera = opera, opera coast, opera gx, opera mobi, opera tablet, opera touch
  Opera Mini
  Pale Moon = palemoon
  Puffin
  QQ Browser = qqbrowser, qqbrowserlite, qq
  Quark
  Safari = safari, mobile safari, mobilesafari, webkit
  Samsung Internet
  SeaMonkey
  Snapchat
  Sogou = sogou explorer, sogou mobile
  Tesla
  TikTok
  Twitter
  UC Browser = ucbrowser
  Vivaldi
  Vivo Browser
  Waterfox
  WeChat
  Weibo
  Whale
  Yandex Browser = yandex, yabrowser
`);

const systems = namesOf(`
  Android = android, android-x86
  BlackBerry
  Chrome OS = chromium os, chrome os
  Chromecast
  FreeBSD
  HarmonyOS = harmonyos, openharmony
  iOS
  KaiOS
  Linux = linux, gnu, ubuntu, ubuntu touch, kubuntu, lubuntu, xubuntu, debian, suse, opensuse, gentoo, arch, slackware, \
fedora, mandriva, mageia, mint, centos, red hat, redhat, raspbian, deepin, manjaro, elementary os, sailfish
  macOS = mac os, macos
  NetBSD
  Nintendo
  OpenBSD
  PlayStation
  Symbian = symbian, series40
  Tizen
  watchOS
  webOS
  Windows = windows, windows iot
  Windows Phone = windows phone, windows phone os, windows mobile
  Xbox
`);

/** Names from the parser that these tables lack. */
const other = "Other";

const nameIn = (names: ReadonlyMap<string, string>) => (word: string | undefined) =>
  word === undefined ? null : (names.get(word.toLowerCase()) ?? other);
const allIn = (names: ReadonlyMap<string, string>): readonly string[] => [...new Set(names.values()), other];

/** All values that `browserName` and `systemName` return. */
export const browserNames = allIn(browsers);
export const systemNames = allIn(systems);

/** A browser's name without version, from a closed set, so that senders cannot invent more; null if there is none. */
export const browserName = nameIn(browsers);

/** An operating system's name without version, from a closed set; every Linux distribution is Linux. */
export const systemName = nameIn(systems);
