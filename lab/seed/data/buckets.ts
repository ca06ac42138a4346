/** The account's link-in-bio pages, most visited first; `age` as for links. */
export const buckets: readonly {
  name: string;
  slug: string;
  age: number;
  description?: string;
  accent_color?: string;
  links: readonly (readonly [title: string, url: string])[];
}[] = [
  {
    name: "Alder & Pine",
    slug: "alderpine",
    age: 0.94,
    description: "Clothes and gear for long walks, made to be repaired",
    accent_color: "#1f6f54",
    links: [
      ["Autumn collection", "https://shop.alderpine.example/collections/autumn"],
      ["The Long Way Home: watch the film", "https://films.alderpine.example/the-long-way-home"],
      ["Find a shop near you", "https://www.alderpine.example/shops"],
      ["Repair, don’t replace", "https://help.alderpine.example/repair"],
      ["Guided hikes and film nights", "https://events.alderpine.example/"],
      ["Newsletter", "https://www.alderpine.example/newsletter"],
      ["We are hiring", "https://careers.alderpine.example/"],
    ],
  },
  {
    name: "Summer festival",
    slug: "festival",
    age: 0.58,
    description: "Three days of music and films in the woods",
    accent_color: "#c2410c",
    links: [
      ["Programme", "https://events.alderpine.example/summer-festival/programme"],
      ["Tickets", "https://events.alderpine.example/summer-festival/tickets"],
      ["Getting there by train", "https://nighttrains.example/timetable"],
      ["Camping", "https://events.alderpine.example/summer-festival/camping"],
      ["Accessibility", "https://events.alderpine.example/summer-festival/accessibility"],
    ],
  },
  {
    name: "Press room",
    slug: "press",
    age: 0.75,
    links: [
      ["Latest releases", "https://press.alderpine.example/releases"],
      ["Photos and logos", "https://press.alderpine.example/photos"],
      ["Repair report", "https://press.alderpine.example/repair-report"],
      ["Contact", "https://press.alderpine.example/contact"],
    ],
  },
  {
    name: "東京店",
    slug: "tokyo",
    age: 0.3,
    links: [
      ["店舗案内", "https://jp.alderpine.example/stores/tokyo"],
      ["秋のコレクション", "https://jp.alderpine.example/collections/autumn"],
      ["イベント", "https://jp.alderpine.example/events"],
    ],
  },
];
