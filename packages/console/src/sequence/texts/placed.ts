import { numberText } from '../../platform/time/format.ts'
import type { TextCheck } from '../check.queries.ts'
import { text } from '../sequence.messages.ts'

/** An error of a text, with its line and column. */
export function placed({ message, line, column }: TextCheck['issues'][number]): string {
  return text.issueAt(message, numberText(line), numberText(column))
}
