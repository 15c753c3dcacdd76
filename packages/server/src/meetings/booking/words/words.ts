/** The words of the booking pages. `{…}` is filled in. */
export interface BookingWords {
  /** The length of the meeting. */
  minutes: string
  /** Follows the length. */
  host: string
  now: string
  /** The label of the zone. */
  zone: string
  changeZone: string
  noTimes: string
  error: string
  chooseTime: string
  details: string
  name: string
  email: string
  book: string
  move: string
  later: string
  oneTime: string
  /** The free times of a day. */
  times: string
  cancel: string
  /** A date with its time and zone. */
  when: string
  canceled: string
  booked: string
  over: string
  join: string
  invited: string
  change: string
  calendar: string
  /** The page behind the link in a mail. */
  ask: string
  otherTime: string
  confirmTitle: string
  confirmText: string
  /** The limits of the page (`TooMany`), five texts. */
  address: string
  hour: string
  moves: string
  notices: string
  confirmations: string
  taken: string
  closedTitle: string
  closedText: string
  expiredTitle: string
  expiredText: string
  /** For a link that leads nowhere. */
  lostTitle: string
  lostText: string
  /** Problems of the form, three texts. */
  needTime: string
  needEmail: string
  needName: string
}
