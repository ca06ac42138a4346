// Starts Swagger UI, which has a dark theme but does not follow the system setting.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// A path is part of the button that opens its operation, and a button must not contain a link.
const withoutNestedLinks = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement("span", null, text) },
});

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
  plugins: [withoutNestedLinks],
});

/** What Swagger UI's elements lack for screen readers and keyboards: selector, attribute, value. */
const missing = [
  [".information-container", "role", () => "region"],
  [".information-container", "aria-label", () => "About this API"],
  [".scheme-container", "role", () => "region"],
  [".scheme-container", "aria-label", () => "Server and authorization"],
  [".responses-table", "aria-label", ({ id }) => `Answers ${id}`],
  ["h3.opblock-tag, .models h4", "aria-level", () => "2"],
  [".opblock h4", "aria-level", () => "3"],
  [".opblock h5", "aria-level", () => "4"],
  ["#servers", "aria-label", () => "Server"],
  ["select, input, textarea", "aria-label", nameOf],
  ["pre.microlight", "tabindex", () => "0"],
];

function nameOf(field) {
  const parameter = field.closest("[data-param-name]")?.dataset.paramName;
  if (parameter) return parameter;
  return field.closest(".opblock-section-request-body") ? "Request body" : "Content type of the answer";
}

function mend() {
  for (const [selector, name, valueOf] of missing) {
    for (const element of document.querySelectorAll(selector)) {
      if (!element.hasAttribute(name)) element.setAttribute(name, valueOf(element));
    }
  }
}
new MutationObserver(mend).observe(document.getElementById("docs"), { childList: true, subtree: true });
