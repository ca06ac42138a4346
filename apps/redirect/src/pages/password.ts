import { type RenderedPage, renderPasswordPage } from "@terse/server";

/** The form for a link's password, with a message if the last one was wrong. It reveals nothing about the link. */
export const passwordPage = (wrong: boolean): Promise<RenderedPage<200 | 403>> =>
  renderPasswordPage({
    heading: "This link is protected",
    lead: "Enter the password to continue.",
    wrong,
    form: "anywhere", // redirects to the destination, which the policy cannot list
  });
