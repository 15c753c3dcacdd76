import { Button, Dialog } from '../platform/ui/index.ts'
import type { Autosave } from './autosave.actions.ts'
import { toDraft, plainText } from './draft.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'

/** The campaign was changed in two places. Shows both texts side by side, and drops neither without asking. */
export function ChangedElsewhere({ saving }: { saving: Autosave }) {
  const { state, draft, keepMine, takeTheirs } = saving
  const theirs = state.kind === 'conflict' ? state.theirs : null
  return (
    <Dialog
      title={text.changedElsewhere}
      wide
      open={theirs !== null}
      close={keepMine}
      foot={
        <>
          <Button onClick={takeTheirs}>{text.takeTheirs}</Button>
          <Button look="primary" onClick={keepMine}>
            {text.keepMine}
          </Button>
        </>
      }
    >
      <p>{text.changedText}</p>
      <div className={styles['side']}>
        <Side name={text.mine} words={plainText(draft)} />
        <Side name={text.theirs} words={theirs === null ? '' : plainText(toDraft(theirs.steps))} />
      </div>
    </Dialog>
  )
}

function Side({ name, words }: { name: string; words: string }) {
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <pre tabIndex={0}>{words}</pre>
    </section>
  )
}
