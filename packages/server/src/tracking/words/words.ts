/** The states of the page that have an own heading and text. */
export type OptOutState = 'ask' | 'done' | 'other' | 'invalid' | 'too_many' | 'gone' | 'failed' | 'unknown'

export interface OptOutWords {
  /** Follows "emails". `{name}` is the sender's name. */
  from: string
  fromUnknown: string
  /** A heading and a text. `{from}` is one of the two above, `{address}` the recipient's address. */
  states: Record<OptOutState, [title: string, text: string]>
  confirm: string
  another: { title: string; text: string; button: string }
}
