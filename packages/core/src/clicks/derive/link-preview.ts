import { maxLength } from "./memo.ts";
import { parseAgent } from "./user-agent.ts";

/** The programs by which chats, social networks and mail show a preview of a link that somebody has sent. */
const programs = [
  // Facebook, Instagram and Messenger; also iMessage, LINE and KakaoTalk, which add their names or nothing.
  /facebookexternalhit|facebot|meta-externalfetcher/,
  /twitterbot|linkedinbot|pinterest(?:bot)?\/|redditbot|tumblr\/|vkshare|xing-contenttabreceiver|snap url preview/,
  /cardyb|mastodon\/|pleroma|akkoma|misskey|summalybot|lemmy\/|friendica/,
  // Signal calls itself WhatsApp.
  /^whatsapp\/|telegrambot|discordbot|slackbot|skypeuripreview|microsoftpreview/,
  /mattermost-bot|rocket\.chat|zulipurlpreview|synapse|\bmatrix\b|google-pagerenderer|google-messages/,
  /embedly|iframely|flipboardproxy|quora link preview|yahoo link preview/,
];
const preview = new RegExp(programs.map(({ source }) => source).join("|"), "i");

/** True for the user agent of a program that makes a preview of a link. All of them count as bots. */
export function isLinkPreview(userAgent: string): boolean {
  const text = userAgent.slice(0, maxLength);
  return preview.test(text) && parseAgent(text).bot;
}
