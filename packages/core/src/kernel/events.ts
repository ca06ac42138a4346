/** Something that went wrong or right again without any call failing; further fields say what it was about. */
export interface CoreEvent {
  level: "info" | "warn" | "error";
  message: string;
  [detail: string]: unknown;
}
