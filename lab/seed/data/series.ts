import type { Country } from "./countries.ts";
import type { LinkIdea, Rhythm } from "./featured.ts";
import type { Channel } from "./referrers.ts";

/** The many other links: a page (a product, an article, an event …) for each channel that it was posted to. */

type Subject = Pick<LinkIdea, "title" | "url" | "rhythm" | "home">;

const products = [
  "Ridgeline 38 backpack",
  "Fjell down jacket",
  "Tarn rain shell",
  "Cairn trekking poles",
  "Ember camp stove",
  "Moss merino base layer",
  "Lichen beanie",
  "Basalt hiking boots",
  "Drift sleeping bag",
  "Heath two-person tent",
  "Sorrel water bottle",
  "Birch titanium mug",
  "Kestrel headlamp",
  "Larch hammock",
  "Scree gaiters",
  "Brook water filter",
  "Marten gloves",
  "Sedge sun hoody",
  "Quarry climbing harness",
  "Loch dry bag",
  "Peat camp chair",
  "Wren wind jacket",
  "Sorrel socks, three pairs",
  "Cove paddling vest",
];

const articles = [
  "How to pack for three days",
  "Layering for cold mornings",
  "Repairing a torn tent",
  "Ten huts worth the walk",
  "Reading a contour map",
  "What to do when boots get wet",
  "Cooking with one pot",
  "A winter without a car",
  "Washing down, step by step",
  "Walking the coast in five stages",
  "How we test zips",
  "Leaving no trace, in practice",
  "Night trains to the mountains",
  "The case for slower trips",
  "Sleeping warm below zero",
  "First via ferrata",
  "Our factory in Porto",
  "Packing light with children",
  "Choosing a first tent",
  "Weather signs to turn back at",
];

const campaigns = [
  "Black week",
  "Free delivery weekend",
  "Trade in your old tent",
  "Student discount",
  "Refer a friend",
  "One percent for rivers",
];

const cities: readonly (readonly [city: string, country: Country])[] = [
  ["Amsterdam", "NL"],
  ["Berlin", "DE"],
  ["Copenhagen", "DK"],
  ["Edinburgh", "GB"],
  ["Lyon", "FR"],
  ["Oslo", "NO"],
  ["Portland", "US"],
  ["Sapporo", "JP"],
  ["Toronto", "CA"],
  ["Vienna", "AT"],
  ["Zurich", "CH"],
];

const jobs = [
  "Pattern maker",
  "Shop manager, Berlin",
  "Data engineer",
  "Repair technician",
  "Buyer, footwear",
];

const help = [
  "Returns and exchanges",
  "Waterproofing a jacket",
  "Finding your boot size",
  "Registering a warranty",
  "Delivery times",
  "Replacing a pole section",
];

const partners: readonly (readonly [title: string, url: string])[] = [
  ["Trail Atlas: our routes", "https://trailatlas.example/collections/alder-pine"],
  ["Hut Guide: book a bed", "https://hutguide.example/"],
  ["Slow Miles podcast, with our founder", "https://slowmiles.example/episodes/alder-pine"],
  ["Mountain film week: trailer", "https://mountainfilmweek.example/trailer"],
  ["Night train timetable", "https://nighttrains.example/timetable"],
  ["Avalanche bulletin", "https://snowreport.example/today"],
];

/** Pages that exist */
const references: readonly (readonly [title: string, url: string])[] = [
  ["OpenStreetMap", "https://www.openstreetmap.org/"],
  ["Wikipedia: hiking", "https://en.wikipedia.org/wiki/Hiking"],
  ["Accessibility guidelines, for the web team", "https://www.w3.org/WAI/standards-guidelines/wcag/"],
  ["HTTP semantics, for the web team", "https://www.rfc-editor.org/rfc/rfc9110"],
  ["MDN: responsive images", "https://developer.mozilla.org/en-US/docs/Web/HTML/Guides/Responsive_images"],
  ["PostgreSQL manual", "https://www.postgresql.org/docs/current/"],
  ["TypeScript handbook", "https://www.typescriptlang.org/docs/handbook/intro.html"],
  ["Internet Archive", "https://archive.org/"],
];

/** Turns text into a part of a path: `Repair café & more` becomes `repair-cafe-more`. */
export const pathOf = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const subjectsAt = (site: string, rhythm: Rhythm, titles: readonly string[]): Subject[] =>
  titles.map((title) => ({ title, url: `${site}/${pathOf(title)}`, rhythm }));

const onceEach = (pages: readonly (readonly [title: string, url: string])[]): Subject[] =>
  pages.map(([title, url]) => ({ title, url, rhythm: "steady" }));

const events = ["repair café", "film night", "guided hike"].flatMap((event) =>
  cities.map(([city, home]): Subject => {
    const url = `https://events.alderpine.example/${pathOf(city)}/${pathOf(event)}`;
    return { title: `${city}: ${event}`, url, rhythm: "launch", home };
  }),
);

/** Names of channels in titles */
const channelNames: Partial<Record<Channel, string>> = {
  newsletter: "newsletter",
  instagram: "Instagram",
  youtube: "YouTube",
  linkedin: "LinkedIn",
  partner: "partner sites",
  print: "QR on the label",
};

/** Returns a link for each subject and channel. */
const posted = (subjects: readonly Subject[], channels: readonly Channel[]): Omit<LinkIdea, "age">[] =>
  subjects.flatMap((subject) =>
    channels.map((channel) => {
      const name = channelNames[channel];
      if (name === undefined) return { ...subject, channel };
      const medium = channel === "newsletter" ? "email" : "social";
      const campaign = `utm_source=${channel}&utm_medium=${medium}&utm_campaign=${pathOf(subject.title)}`;
      return {
        ...subject,
        title: `${subject.title} · ${name}`,
        url: `${subject.url}?${campaign}`,
        rhythm: channel === "newsletter" ? "mailing" : subject.rhythm,
        channel,
      };
    }),
  );

/** About 480 links */
export const series: readonly Omit<LinkIdea, "age">[] = [
  ...posted(subjectsAt("https://shop.alderpine.example/products", "steady", products), [
    "web",
    "newsletter",
    "instagram",
    "youtube",
    "partner",
    "print",
  ]),
  ...posted(subjectsAt("https://blog.alderpine.example", "launch", articles), [
    "web",
    "newsletter",
    "instagram",
    "linkedin",
    "partner",
  ]),
  ...posted(subjectsAt("https://www.alderpine.example/campaigns", "launch", campaigns), [
    "web",
    "newsletter",
    "instagram",
    "youtube",
    "linkedin",
  ]),
  ...posted(events, ["web", "newsletter", "instagram", "linkedin", "partner"]),
  ...posted(subjectsAt("https://careers.alderpine.example/jobs", "launch", jobs), ["web", "linkedin"]),
  ...posted(subjectsAt("https://help.alderpine.example/articles", "steady", help), ["web", "print"]),
  ...posted(onceEach(partners), ["web", "instagram"]),
  ...posted(onceEach(references), ["web"]),
];
