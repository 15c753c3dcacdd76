import type { BounceReason } from './bounce-reasons.ts'
import { phraseWords } from './bounce-words-phrases.ts'
import { recipientWords } from './bounce-words-recipient.ts'
import { senderWords } from './bounce-words-sender.ts'
import { serverWords } from './bounce-words-server.ts'

/** The first match decides. Patterns are plain alternatives, so that time stays linear. */
export const bounceWords: readonly [BounceReason, RegExp][] = [
  ...phraseWords,
  ...senderWords,
  ...recipientWords,
  ...serverWords,
]
