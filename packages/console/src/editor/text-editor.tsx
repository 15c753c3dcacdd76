import { lazy, Suspense, useState } from 'react'
import { Button, Skeleton } from '../platform/ui/index.ts'
import type { TextEditorProps } from './editor-props.ts'
import { text } from './editor.messages.ts'
import { parseSource } from './source/parse-source.ts'
import { RichEditor } from './rich-editor.tsx'
import styles from './editor.module.css'

const SourceEditor = lazy(() => import('./source-editor.tsx').then(({ SourceEditor: Lazy }) => ({ default: Lazy })))

type ShownView = { view: 'rich' } | { view: 'source'; because: string | null }

/** Edits a text as recipients see it, or as its source. A text with parts that only the source can show opens as source. */
export function TextEditor(props: TextEditorProps) {
  const syntax = { liquid: props.variables !== undefined }
  const [shown, setShown] = useState<ShownView>(() => {
    const parsed = parseSource(props.value, syntax)
    return parsed.kind === 'document' ? { view: 'rich' } : { view: 'source', because: parsed.because }
  })
  if (shown.view === 'rich')
    return (
      <RichEditor
        {...props}
        showSource={(because) => setShown({ view: 'source', because })}
        syntax={syntax}
        variables={props.variables ?? []}
      />
    )
  const format = (): void => {
    const parsed = parseSource(props.value, syntax)
    setShown(parsed.kind === 'document' ? { view: 'rich' } : { view: 'source', because: parsed.because })
  }
  return (
    <div className={styles['box']}>
      <div className={styles['tools']}>
        <Button small look="quiet" aria-pressed title={text.formatted} onClick={format}>
          {text.source}
        </Button>
      </div>
      {shown.because !== null && (
        <p className={styles['note']} role="status">
          {text.notShown(shown.because)} {text.keepsSource}
        </p>
      )}
      <Suspense fallback={<Skeleton label={props.label} />}>
        <SourceEditor {...props} variables={props.variables ?? []} />
      </Suspense>
    </div>
  )
}
