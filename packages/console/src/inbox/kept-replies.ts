const prefix = 'overture.reply.'

/** What somebody began to write, for as long as the tab is there: a lost session or a reload takes nothing. */
export function keptReply(conversationId: string): string {
  return storage()?.getItem(prefix + conversationId) ?? ''
}

export function keepReply(conversationId: string, typed: string): void {
  if (typed === '') storage()?.removeItem(prefix + conversationId)
  else storage()?.setItem(prefix + conversationId, typed)
}

function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
