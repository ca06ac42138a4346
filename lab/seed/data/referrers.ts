/** Where a link was posted. */
export type Channel = "web" | "newsletter" | "instagram" | "youtube" | "linkedin" | "partner" | "print";

/** `Referer` headers of each channel with their weights; "" is a visit without one. */
export const referrers: Record<Channel, readonly (readonly [referrer: string, weight: number])[]> = {
  web: [
    ["", 38],
    ["https://www.google.com/", 20],
    ["https://www.alderpine.example/", 8],
    ["https://blog.alderpine.example/", 6],
    ["https://l.instagram.com/", 5],
    ["https://www.facebook.com/", 4],
    ["https://www.linkedin.com/", 4],
    ["https://t.co/", 3],
    ["https://www.reddit.com/", 3],
    ["https://www.bing.com/", 2.5],
    ["https://duckduckgo.com/", 2],
    ["https://www.youtube.com/", 1.5],
    ["https://bsky.app/", 1],
    ["https://mastodon.social/", 0.8],
    ["https://news.ycombinator.com/", 0.6],
    ["https://www.pinterest.com/", 0.6],
  ],
  newsletter: [
    ["", 72],
    ["https://mail.google.com/", 14],
    ["https://outlook.live.com/", 6],
    ["android-app://com.google.android.gm/", 5],
    ["https://mail.yahoo.com/", 3],
  ],
  instagram: [
    ["https://l.instagram.com/", 62],
    ["https://www.instagram.com/", 10],
    ["https://www.facebook.com/", 8],
    ["", 20],
  ],
  youtube: [
    ["https://www.youtube.com/", 68],
    ["android-app://com.google.android.youtube/", 8],
    ["", 24],
  ],
  linkedin: [
    ["https://www.linkedin.com/", 64],
    ["android-app://com.linkedin.android/", 14],
    ["", 22],
  ],
  partner: [
    ["https://trailatlas.example/", 34],
    ["https://hutguide.example/", 22],
    ["https://slowmiles.example/", 14],
    ["", 30],
  ],
  print: [["", 1]],
};
