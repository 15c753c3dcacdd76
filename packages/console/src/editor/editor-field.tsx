import { lazy, Suspense, useId, type ReactNode } from 'react'
import { useReportedError } from '../platform/form/index.ts'
import { classes, Skeleton } from '../platform/ui/index.ts'
import type { TextEditorProps, TextIssue } from './editor-props.ts'
import { text } from './editor.messages.ts'
import styles from './editor.module.css'

const TextEditor = lazy(() => import('./text-editor.tsx').then(({ TextEditor: Lazy }) => ({ default: Lazy })))

export interface EditorFieldProps extends Omit<TextEditorProps, 'describedBy' | 'issues'> {
  issues?: readonly TextIssue[]
  /** The message about the text, below the editor. */
  error?: ReactNode
  optional?: boolean
  hideLabel?: boolean
}

const noIssues: readonly TextIssue[] = []

/** A text with formatting. The code of the editor is loaded when the first one is shown. */
export function EditorField({ issues = noIssues, error, optional, hideLabel, ...props }: EditorFieldProps) {
  const id = useId()
  useReportedError(id, typeof error === 'string' && error !== '' ? error : undefined)
  return (
    <div className={styles['field']}>
      <span aria-hidden className={classes(styles['label'], hideLabel && 'visually-hidden')}>
        {props.label}
        {optional === true && <span className={styles['optional']}> ({text.optional})</span>}
      </span>
      <Suspense fallback={<Skeleton label={props.label} />}>
        <TextEditor {...props} issues={issues} describedBy={id} invalid={issues.length > 0 || Boolean(error)} />
      </Suspense>
      <p id={id} className={styles['error']} role="status">
        {error}
      </p>
    </div>
  )
}
