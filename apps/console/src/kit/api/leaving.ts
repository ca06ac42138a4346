/** When the account that was deleted in this tab is erased, an ISO 8601 time. */
const key = "terse.leaving";

export const rememberLeaving = (deletesAt: string): void => sessionStorage.setItem(key, deletesAt);
export const forgetLeaving = (): void => sessionStorage.removeItem(key);

/** That time; null if no account was deleted here, or it is over. */
export function leaving(): string | null {
  const deletesAt = sessionStorage.getItem(key);
  return deletesAt !== null && Date.parse(deletesAt) > Date.now() ? deletesAt : null;
}
