// A bucket as its visitors see it.

const { element, many, openLink, show, start } = globalThis.card;

void start((bucket) => {
  const { accent_color: accent } = bucket;
  const style = document.documentElement.style;
  if (/^#[0-9a-f]{6}$/i.test(accent ?? "")) style.setProperty("--page-accent", accent);
  const links = (bucket.links ?? []).map(({ title, url }) =>
    element("li", {}, element("button", { title: url, onclick: () => openLink(url) }, title)),
  );
  show(
    element(
      "div",
      { class: "page" },
      element("h1", {}, bucket.name),
      ...(bucket.description ? [element("p", {}, bucket.description)] : []),
      element("ul", {}, ...links),
      element("p", { class: "faint" }, [bucket.shortUrl, many(bucket.views ?? 0, "view")].join(" · ")),
      element(
        "div",
        { class: "buttons" },
        element("button", { onclick: () => openLink(bucket.shortUrl) }, "Open"),
      ),
    ),
  );
});
