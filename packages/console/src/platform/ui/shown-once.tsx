import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

export interface ShownOnceProps {
  title: string
  about: string
  /** Null if there is nothing to show. */
  value: string | null
  copyLabel: string
  close: () => void
}

/** A dialog with a secret that is never shown again after it is closed. */
export function ShownOnce({ title, about, value, copyLabel, close }: ShownOnceProps) {
  return (
    <Dialog title={title} open={value !== null} close={close}>
      <p>{about}</p>
      <code>{value}</code>
      <CopyButton label={copyLabel} value={value ?? ''} />
    </Dialog>
  )
}
