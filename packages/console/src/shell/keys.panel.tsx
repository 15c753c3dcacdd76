import { currentBindings } from '../platform/keys/keys.ts'
import { Dialog } from '../platform/ui/index.ts'
import { text } from './shell.messages.ts'
import styles from './shell.module.css'

/** All keys that are active on this page. */
export function KeyList({ open, close }: { open: boolean; close: () => void }) {
  return (
    <Dialog toRead title={text.keys} open={open} close={close}>
      <p>{text.keysLead}</p>
      {open && (
        <dl className={styles['keys']}>
          {currentBindings().map(({ keys, label }) => (
            <KeyLine key={keys} keys={keys} label={label} />
          ))}
        </dl>
      )}
    </Dialog>
  )
}

function KeyLine({ keys, label }: { keys: string; label: string }) {
  return (
    <>
      <dt>
        {keys.split(' ').map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{label}</dd>
    </>
  )
}
