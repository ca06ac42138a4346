// A host of cards, made of the official package; the test calls `showCard` and answers the calls of tools.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const capabilities = { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } };

globalThis.heard = { opened: [], told: [], sizes: [] };

globalThis.showCard = async (html, result, { theme, withTools = true }) => {
  document.body.style.background = theme === "dark" ? "#111" : "#eee";
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width: 480px; height: 420px; border: 0";
  frame.srcdoc = html;
  document.body.replaceChildren(frame);
  const bridge = new AppBridge(null, { name: "host", version: "1" }, withTools ? capabilities : {}, {
    hostContext: { theme, styles: { variables: { "--border-radius-md": "3px" } } },
  });
  bridge.oncalltool = ({ name, arguments: args }) => globalThis.callTool(name, args);
  bridge.onopenlink = async ({ url }) => {
    globalThis.heard.opened.push(url);
    return {};
  };
  bridge.onupdatemodelcontext = async ({ content }) => {
    globalThis.heard.told.push(content[0].text);
    return {};
  };
  bridge.addEventListener("sizechange", ({ height }) => globalThis.heard.sizes.push(height));
  const ready = new Promise((resolve) => bridge.addEventListener("initialized", resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(result);
  globalThis.changeTheme = (other) => bridge.setHostContext({ theme: other });
};
