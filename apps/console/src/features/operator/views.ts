/** The parts of the operator's screen, in the order of their tabs. */
export const operatorViews = ["service", "reports", "links", "workspaces", "people", "mail"] as const;
export type OperatorView = (typeof operatorViews)[number];
