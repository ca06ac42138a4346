// What a card says to its host and hears from it: JSON-RPC by postMessage, as MCP Apps 2026-01-26 describes it.

const waiting = new Map();
const listeners = {};
let lastId = 0;
/** What the host can do; empty until it has answered. */
let host = {};

const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const notify = (method, params = {}) => send({ method, params });

function request(method, params) {
  lastId += 1;
  const id = lastId;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** Calls a tool of the server that the card comes from. */
async function callTool(name, args) {
  const result = await request("tools/call", { name, arguments: args });
  if (result.isError) throw new Error(result.content?.[0]?.text ?? "The call failed");
  return result.structuredContent ?? {};
}

const canCallTools = () => host.serverTools !== undefined;
const openLink = (url) =>
  /^(https?|mailto|tel):/.test(url) && request("ui/open-link", { url }).catch(() => {});

/** Lets the assistant know what its user did with the card. */
function tellAssistant(text) {
  if (host.updateModelContext === undefined) return;
  request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
}

function applyContext({ theme, styles } = {}) {
  const { style, dataset } = document.documentElement;
  if (theme === "light" || theme === "dark") {
    dataset.theme = theme;
    style.colorScheme = theme;
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith("--") && typeof value === "string") style.setProperty(name, value);
}

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  } else if (id !== undefined) {
    // A host asks whether the card is there, and tells it that it goes.
    if (method === "ping" || method === "ui/resource-teardown") send({ id, result: {} });
    else send({ id, error: { code: -32601, message: "Method not found" } });
  } else if (method === "ui/notifications/host-context-changed") applyContext(params);
  else if (method === "ui/notifications/tool-result") listeners.result?.(params);
});

/** Begins: the host is asked what it can do, then it sends the tool's result. */
async function start(onResult) {
  listeners.result = ({ isError, content, structuredContent }) => {
    if (isError || !structuredContent)
      show(element("p", {}, content?.[0]?.text ?? "There is nothing to show."));
    else onResult(structuredContent);
  };
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    notify("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(document.body);
  const { hostCapabilities = {}, hostContext } = await request("ui/initialize", {
    appInfo: { name: "terse", version: "1" },
    appCapabilities: {},
    protocolVersion: "2026-01-26",
  });
  host = hostCapabilities;
  applyContext(hostContext);
  notify("ui/notifications/initialized");
}

/** An element with its text or its children. What links contain is only ever text. */
function element(name, { onclick, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (onclick) made.addEventListener("click", onclick);
  made.append(...children);
  return made;
}
const show = (...elements) => document.querySelector("main").replaceChildren(...elements);
const many = (count, thing) => `${Number(count).toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;

/** What the scripts of the cards use. */
globalThis.card = { start, callTool, canCallTools, openLink, tellAssistant, element, show, many };
