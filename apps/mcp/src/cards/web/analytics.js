// A report: totals, bars over time, and the first rows of its lists.

const { element, many, show, start } = globalThis.card;

const lists = { countries: "country", referrers: "referrer", devices: "device", top_links: "shortUrl" };
const regions = new Intl.DisplayNames("en", { type: "region" });
const titles = { countries: "Countries", referrers: "Referrers", devices: "Devices", top_links: "Links" };

void start((report) => {
  const { link } = report;
  const rows = report.timeseries ?? report.days ?? [];
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const clicks = report.clicks ?? sum("clicks");
  const figures = [
    ["Clicks", clicks, report.change?.clicks],
    ["Visitors", report.visitors ?? sum("visitors"), report.change?.visitors],
    ["Bots", report.bots],
  ].filter(([, value]) => typeof value === "number");
  const most = Math.max(0, ...rows.map((row) => row.clicks)).toLocaleString("en");
  const times = [startOf(rows[0]), startOf(rows.at(-1))].filter(Boolean).join(" – ");
  show(
    element("h1", {}, link?.shortUrl ?? "Clicks and visitors"),
    element("p", { class: "faint" }, `${times} · at most ${most} a ${report.granularity ?? "day"}`),
    element("div", { class: "figures" }, ...figures.map(figure)),
    chart(rows),
    element(
      "div",
      { class: "lists" },
      ...Object.keys(lists).flatMap((name) =>
        table(name, link && name === "top_links" ? [] : (report[name] ?? [])),
      ),
    ),
  );
});

const startOf = (row) => (row?.start ?? row?.date ?? "").slice(0, 10);
const figure = ([name, value, change]) =>
  element(
    "span",
    {},
    element("strong", {}, value.toLocaleString("en")),
    element("span", { class: "faint" }, typeof change === "number" ? `${name} ${percent(change)}` : name),
  );
const percent = (change) =>
  change.toLocaleString("en", { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 });
const nameOf = (value) => (/^[A-Z]{2}$/.test(value) ? regions.of(value) : value.replace(/^https?:\/\//, ""));

function chart(rows) {
  const space = "http://www.w3.org/2000/svg";
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks));
  const svg = document.createElementNS(space, "svg");
  const label = `${rows.length} rows, at most ${many(most, "click")} each`;
  for (const [name, value] of Object.entries({
    class: "chart",
    viewBox: `0 0 ${Math.max(1, rows.length) * 10} 100`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": label,
  }))
    svg.setAttribute(name, value);
  for (const [place, row] of rows.entries()) {
    const height = row.clicks === 0 ? 0.5 : Math.max(2, (row.clicks / most) * 100);
    const bar = document.createElementNS(space, "rect");
    const title = document.createElementNS(space, "title");
    title.textContent = `${startOf(row)}: ${many(row.clicks, "click")}`;
    for (const [name, value] of Object.entries({ x: place * 10 + 1, y: 100 - height, width: 8, height }))
      bar.setAttribute(name, value);
    bar.append(title);
    svg.append(bar);
  }
  return svg;
}

function table(name, rows) {
  if (rows.length === 0) return [];
  const lines = rows
    .slice(0, 5)
    .map((row) =>
      element(
        "tr",
        {},
        element("td", {}, nameOf(String(row[lists[name]]))),
        element("td", {}, row.clicks.toLocaleString("en")),
      ),
    );
  return [element("table", {}, element("caption", {}, titles[name]), element("tbody", {}, ...lines))];
}
