const prefix = 'overture.reply.'

/**
 * Returns the reply that the user began to write. It is kept as long as the tab exists, so an expired session or a reload loses nothing.
 */
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
