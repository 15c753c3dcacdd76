import { currentLocale } from '../platform/text/words.ts'
import { Button, ErrorNote, Note } from '../platform/ui/index.ts'
import type { SaveState } from './autosave.actions.ts'
import { isAboutTexts } from './texts/kept-texts.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'

/** Whether the edits are saved. */
export function SaveNote({
  state,
  again,
  shownErrors,
}: {
  state: SaveState
  again: () => void
  /** The errors that fields show themselves. */
  shownErrors: readonly string[]
}) {
  return (
    <>
      <span role="status" className={styles['saveState']} data-bad={state.kind === 'failed'}>
        {describeState(state)}
      </span>
      {state.kind === 'failed' && isAboutTexts(state.error) && (
        <Note tone="bad" role="alert">
          <p>{text.reviewReason}</p>
        </Note>
      )}
      {state.kind === 'failed' && !isAboutTexts(state.error) && (
        <>
          <Button small look="quiet" onClick={again}>
            {text.notSaved}
          </Button>
          <ErrorNote error={state.error} again={again} shownErrors={shownErrors} />
        </>
      )}
    </>
  )
}

function describeState(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return text.saved(saveTime(state.at))
    case 'kept':
      return text.kept(saveTime(state.at))
    case 'saving':
      return text.saving
    case 'unsaved':
      return text.unsaved
    case 'failed':
      return text.notSaved
    case 'conflict':
      return text.changedElsewhere
  }
}

function saveTime(at: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { hour: '2-digit', minute: '2-digit' }).format(new Date(at))
}
