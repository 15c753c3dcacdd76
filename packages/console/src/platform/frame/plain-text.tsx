import { Fragment } from 'react'
import styles from './frame.module.css'

const longLink = /(https?:\/\/\S{60,})/

/** A text as it is; a link longer than anybody reads takes one line, and is whole for whoever copies it. */
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
