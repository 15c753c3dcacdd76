/** Access tokens by mailbox, one or several per mailbox. */
export type IssuedTokens = Record<string, string | readonly string[]>

/** Whether the token was issued for this mailbox. */
export function isIssued(tokens: IssuedTokens, mailbox: string, token: string): boolean {
  return [tokens[mailbox] ?? []].flat().includes(token)
}

/** Whether the text is a token of any mailbox. */
export function isAnyToken(tokens: IssuedTokens, text: string): boolean {
  return Object.values(tokens).flat().includes(text)
}
