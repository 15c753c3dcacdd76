/** What the secret of an authenticator is sealed with, so that it opens for its own user alone. */
export function totpSecretContext(userId: string): string {
  return `users totp ${userId}`
}
