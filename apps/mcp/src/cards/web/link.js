// A link: where it leads, its QR code, and a button that undoes what the tool did.

const { callTool, canCallTools, element, many, openLink, show, start, tellAssistant } = globalThis.card;

void start((link) => {
  const { undo, tool } = document.body.dataset;
  const state = link.is_active === 0 ? "switched off" : many(link.click_count ?? 0, "click");
  const buttons = element("div", { class: "buttons" });
  const picture = element("img", { class: "qr", alt: `QR code of ${link.shortUrl}`, hidden: "" });
  const status = element("p", { class: "faint", role: "status" });
  buttons.append(element("button", { onclick: () => openLink(link.shortUrl) }, "Open"));
  show(
    element(
      "div",
      { class: "row" },
      element(
        "div",
        {},
        element("h1", {}, link.shortUrl),
        element("p", {}, link.destination),
        element("p", { class: "faint" }, [link.title, state].filter(Boolean).join(" · ")),
        buttons,
        status,
      ),
      picture,
    ),
  );
  if (!canCallTools()) return;

  callTool("generate_qr", { id: link.id, size: 224 }).then(
    ({ body }) => {
      picture.src = `data:image/svg+xml;base64,${btoa(body)}`;
      picture.hidden = false;
    },
    () => {},
  );
  if (!undo) return;
  const button = element("button", {}, "Undo");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await undoBy(undo, tool, link);
      status.textContent = tool === "create_link" ? "Undone: the link is deleted." : "Undone.";
      tellAssistant(`The user undid ${tool} of ${link.shortUrl} with the card's button.`);
    } catch (error) {
      status.textContent = error.message;
      button.disabled = false;
    }
  });
  buttons.append(button);
});

/** A creation has the id of its link as that of its change. An update has the time of the link that it returned. */
async function undoBy(undo, tool, { id, updated_at: time }) {
  if (tool === "create_link") return callTool(undo, { id });
  const { changes } = await callTool("get_link_history", { id, limit: 100 });
  const change = changes.find(({ at }) => at === time);
  if (!change) throw new Error("The change is not among the newest ones of the link.");
  return callTool(undo, { id: change.id });
}
