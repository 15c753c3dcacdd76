import { useState } from 'react'
import { classes } from '../platform/ui/index.ts'
import { text } from './imports.messages.ts'
import styles from './imports.module.css'

interface FileDropProps {
  take: (file: File) => void
  name: string | null
  busy: boolean
  /** The accepted files and the words of a form that takes no spreadsheet. */
  kind?: { accept: string; label: string; drop: string }
}

const spreadsheet = { accept: '.csv,.tsv,.txt,.xlsx', label: text.file, drop: text.drop }

export function FileDrop({ take, name, busy, kind = spreadsheet }: FileDropProps) {
  const [over, setOver] = useState(false)
  return (
    <label
      className={classes(styles['drop'], over && styles['over'])}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) take(file)
      }}
    >
      <strong>{name ?? kind.drop}</strong>
      <span className={styles['choose']} aria-hidden>
        {text.chooseFile}
      </span>
      <input
        type="file"
        className="visually-hidden"
        accept={kind.accept}
        aria-label={kind.label}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file !== undefined) take(file)
        }}
      />
      <span role="status">{busy ? text.reading : ''}</span>
    </label>
  )
}
