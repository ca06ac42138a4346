/** The sections of the settings, in their order; each has an address of its own. */
export const sections = [
  { name: "profile", to: "/settings/profile" },
  { name: "plan", to: "/settings/plan" },
  { name: "signIn", to: "/settings/sign-in" },
  { name: "keys", to: "/settings/keys" },
  { name: "assistants", to: "/settings/assistants" },
  { name: "webhooks", to: "/settings/webhooks" },
  { name: "tags", to: "/settings/tags" },
  { name: "activity", to: "/settings/activity" },
  { name: "preferences", to: "/settings/preferences" },
  { name: "data", to: "/settings/data" },
] as const;
