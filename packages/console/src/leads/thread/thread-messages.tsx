import type { Message } from '@overture/sdk'
import { Fragment, type ReactNode } from 'react'
import { MailText } from '../../platform/frame/index.ts'
import { Time } from '../../platform/time/now.tsx'
import { Badge, type Tone } from '../../platform/ui/index.ts'
import { Attachments } from '../attachments.panel.tsx'
import { messageParts } from './message-parts.ts'
import { calendarText, messageKindText, messageStatusText, recipientText } from '../message.messages.ts'
import styles from '../leads.module.css'

const tones: Readonly<Record<Message['status'], Tone>> = {
  queued: 'soft',
  sending: 'accent',
  sent: 'accent',
  bounced: 'bad',
  returned: 'warn',
  failed: 'bad',
  uncertain: 'warn',
  received: 'good',
}

/** Something that is shown between the messages, by its time. */
export interface ThreadEntry {
  id: string
  at: string
  shown: ReactNode
}

export interface ThreadMessagesProps {
  messages: readonly Message[]
  label: string
  between?: readonly ThreadEntry[]
  /** Returns the end of a message on the screen. */
  endOf?: (message: Message) => ReactNode
}

/** Messages to and from a person, oldest first. A message that is not sent yet is last. */
export function ThreadMessages({ messages, label, between = [], endOf }: ThreadMessagesProps) {
  const later = (entry: ThreadEntry, message: Message | undefined): boolean => {
    const at = message?.sentAt ?? message?.receivedAt
    return typeof at === 'string' && at <= entry.at
  }
  const placed = between.map((entry) => ({
    ...entry,
    place: messages.findLastIndex((message) => later(entry, message)) + 1,
  }))
  const entriesAt = (wanted: number) =>
    placed
      .filter(({ place }) => place === wanted)
      .map(({ id, shown }) => (
        <li key={id} className={styles['between']}>
          {shown}
        </li>
      ))
  return (
    <ol className={styles['thread']} aria-label={label}>
      {messages.map((message, place) => (
        <Fragment key={message.id}>
          {entriesAt(place)}
          <ThreadMessage message={message} end={endOf?.(message)} />
        </Fragment>
      ))}
      {entriesAt(messages.length)}
    </ol>
  )
}

function ThreadMessage({ message, end }: { message: Message; end: ReactNode }) {
  return (
    <li className={styles['message']} data-direction={message.direction}>
      <header className={styles['messageHead']}>
        <strong>{message.from?.name ?? message.from?.email}</strong>
        <span className={styles['address']}>{message.from?.email}</span>
        <Badge tone={tones[message.status]}>
          {message.status === 'received' ? messageKindText[message.kind] : messageStatusText[message.status]}
        </Badge>
        <span className={styles['when']}>
          <MessageTime message={message} />
        </span>
      </header>
      <Recipients message={message} />
      <p className={styles['subject']}>{message.subject}</p>
      <CalendarLine calendar={message.classification?.calendar} />
      <MailText title={message.subject} html={message.html} {...messageParts(message)} />
      <Attachments message={message} />
      {end}
    </li>
  )
}

/** Everyone who got the message, and everyone who did not, with the reason. */
function Recipients({ message: { to, cc, refusedRecipients } }: { message: Message }) {
  const joinAddresses = (addresses: Message['to']) => addresses.map(({ email }) => email).join(', ')
  return (
    <>
      <p className={styles['address']}>
        {cc.length === 0
          ? recipientText.to(joinAddresses(to))
          : recipientText.toAndCopies(joinAddresses(to), joinAddresses(cc))}
      </p>
      {refusedRecipients.map(({ email, reason }) => (
        <p key={email} className={styles['refused']}>
          {recipientText.refused(email, reason)}
        </p>
      ))}
    </>
  )
}

type MessageCalendar = NonNullable<NonNullable<Message['classification']>['calendar']>

function CalendarLine({ calendar }: { calendar: MessageCalendar | undefined }) {
  if (calendar === undefined) return null
  const { method, startAt } = calendar
  return (
    <p>
      {calendarText.at(calendarText[method])}
      {startAt === null ? calendarText.timeUnknown : <Time at={startAt} />}
    </p>
  )
}

function MessageTime({ message }: { message: Message }) {
  const at = message.sentAt ?? message.receivedAt
  return at === null ? null : <Time at={at} />
}
