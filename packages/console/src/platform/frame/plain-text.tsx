import { Fragment } from 'react'
import styles from './frame.module.css'

const longLink = /(https?:\/\/\S{60,})/

/** Shows plain text. A link that is too long to read is cut to one line on the screen, and copied in full. */
export function PlainText({ children }: { children: string | null }) {
  return (children ?? '').split(longLink).map((part, at) =>
    at % 2 === 0 ? (
      <Fragment key={at}>{part}</Fragment>
    ) : (
      <span key={at} className={styles['longLink']} title={part}>
        {part}
      </span>
    ),
  )
}
