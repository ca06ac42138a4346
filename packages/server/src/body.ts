/** As much as a JSON body may have, whoever takes it. */
export const maxBodyBytes = 64 * 1024;

/** Whether a Content-Type says that the body is a submitted HTML form. */
export function isForm(contentType: string | undefined): boolean {
  const [type = ""] = (contentType ?? "").split(";");
  return type.trim().toLowerCase() === "application/x-www-form-urlencoded";
}
