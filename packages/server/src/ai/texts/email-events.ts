import type { WrittenEmail } from './writing.ts'

/** An event while a text is written: the next piece of the body, or of the subject at `index`. */
interface Delta {
  field: 'body' | 'subject'
  index: number
  text: string
}

/** The text that was added between two versions. If a model changed what it had written before, the change is only in the result. */
export function emailDeltas(before: WrittenEmail, after: WrittenEmail): Delta[] {
  const deltas: Delta[] = []
  const add = (delta: Omit<Delta, 'text'>, old: string, next: string) => {
    if (next.length > old.length && next.startsWith(old)) deltas.push({ ...delta, text: next.slice(old.length) })
  }
  add({ field: 'body', index: 0 }, before.body, after.body)
  after.subjects.forEach((subject, index) => add({ field: 'subject', index }, before.subjects[index] ?? '', subject))
  return deltas
}

/** One server-sent event. JSON never contains a raw line break, so one `data` line is enough. */
export function eventText(event: 'delta' | 'restart' | 'result' | 'error', data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}

export const keepAliveText = ': still writing\n\n'
