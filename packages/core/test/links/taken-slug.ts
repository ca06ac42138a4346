import type { Refusal } from "../fixture.ts";

const error = /^slug: "[\w-]+" is already taken on this domain; choose another one$/;

/** The slug of another account's link */
export const takenByLink: Refusal<never> = {
  async fields({ another }) {
    const { links } = await another();
    const { slug } = await links.create({ url: "https://example.com/" });
    return { slug };
  },
  error,
};

/** The slug of another account's bucket */
export const takenByBucket: Refusal<never> = {
  async fields({ another }) {
    const { buckets } = await another();
    const links = [{ title: "A link", url: "https://example.com/" }];
    const { slug } = await buckets.create({ name: "A page", links });
    return { slug };
  },
  error,
};
