import type { Message } from '@overture/sdk'
import type { Quote } from '../../editor/index.ts'
import { longTimeText } from '../../platform/time/format.ts'

type QuotedMessage = Pick<Message, 'from' | 'text' | 'quotedText' | 'sentAt' | 'receivedAt'>

/** The message that a reply answers, as it is quoted below the reply. */
export function buildQuote({ from, text, quotedText, sentAt, receivedAt }: QuotedMessage, zone: string): Quote | null {
  const whole = [text, quotedText]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n')
  const at = receivedAt ?? sentAt
  if (whole === '' || from === null || at === null) return null
  const writer = from.name === null ? from.email : `${from.name} <${from.email}>`
  return { attribution: `On ${longTimeText(at, zone)}, ${writer} wrote:`, text: whole }
}
