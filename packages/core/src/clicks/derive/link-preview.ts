import { maxLength } from "../../kernel/memo.ts";
import { parseAgent } from "./user-agent.ts";

/** The programs by which chats, social networks and mail show a preview of a link that somebody has sent. */
const programs: readonly (readonly [name: string, pattern: RegExp])[] = [
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
const preview = new RegExp(programs.map(([, { source }]) => source).join("|"), "i");

/** True for the user agent of a program that makes a preview of a link. All of them count as bots. */
export function isLinkPreview(userAgent: string): boolean {
  const text = userAgent.slice(0, maxLength);
  return preview.test(text) && parseAgent(text).bot;
}

/** Names the program of that kind in a bot's user agent; null if it is another one's. */
export function previewProgramIn(userAgent: string): string | null {
  const [words] = preview.exec(userAgent) ?? [];
  if (words === undefined) return null;
  return programs.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
