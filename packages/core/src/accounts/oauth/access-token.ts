/** The form of access tokens. API keys are longer, because they have a prefix. */
export const isAccessToken = (text: string): boolean => /^[\w-]{43}$/.test(text);
