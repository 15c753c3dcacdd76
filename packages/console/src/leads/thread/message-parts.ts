import type { Message } from '@overture/sdk'

export interface MessageParts {
  /** The new text. */
  plain: string | null
  signature: string | null
  /** The message that is quoted below. */
  quoted: string | null
}

const ownQuote = /\n+(On [^\n]{1,300} wrote:\n+(?:>[^\n]*(?:\n|$))+)\s*$/

/** Separates the new text of a message from its signature and from the message that it quotes. */
export function messageParts({ direction, text, signature, quotedText }: QuotingMessage): MessageParts {
  if (direction === 'outbound') {
    const found = text === null ? null : ownQuote.exec(text)
    return found === null
      ? { plain: text, signature: null, quoted: null }
      : { plain: text!.slice(0, found.index), signature: null, quoted: found[1]!.trim() }
  }
  const isApart = signature !== null && quotedText?.startsWith(signature) === true
  return {
    plain: text,
    signature: signature === null ? null : signature.replace(/^--\s*\n/, '').trim() || null,
    quoted: isApart ? quotedText.slice(signature.length).trim() || null : quotedText,
  }
}

type QuotingMessage = Pick<Message, 'direction' | 'text' | 'signature' | 'quotedText'>
