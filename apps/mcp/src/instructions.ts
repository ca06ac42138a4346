/** What an assistant is told of the server before it sees a single tool. */
export const instructions = `Terse makes short links and counts their clicks. Everything belongs to the account of the API key.

- A link is named by its id, its slug or its short URL, whichever you have; every argument called \`id\` takes all three.
- To find a link, use list_links with \`search\`, a part of its slug, title or destination.
- Before delete_link, and before update_link changes a destination, tell the user which link it is: people may have the short URL on paper.
- Clicks are people; crawlers, link previews and tools are counted apart, as bots. Times are ISO 8601 in UTC.
- A refusal names the argument and the fix: correct that argument and call again.`;
