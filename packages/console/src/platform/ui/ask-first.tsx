import type { RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { useState, type ReactNode } from 'react'
import { Button, type Look } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { ErrorNote } from './error.tsx'

export interface AskFirstProps extends Look {
  /** The text of the button that opens the dialog, and of the button that confirms it. */
  label: string
  title: string
  danger?: boolean
  disabledReason?: string | null
  /** The operation of the action. A user whose role can't do it sees who can. */
  operation?: RestrictedOperation | undefined
  action: { isPending: boolean; error: unknown; mutate: (input: void, options: { onSuccess: () => void }) => void }
  /** A text about the effects of the action. */
  children: ReactNode
}

/** A button for an action that is hard to undo. It opens a dialog to confirm the action, and shows a refusal in that dialog. */
export function AskFirst({ label, title, danger = false, action, children, ...button }: AskFirstProps) {
  const [asking, setAsking] = useState(false)
  const close = (): void => setAsking(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        title={title}
        open={asking}
        close={close}
        danger={danger}
        confirmLabel={label}
        busy={action.isPending}
        confirm={() => action.mutate(undefined, { onSuccess: close })}
      >
        <p>{children}</p>
        <ErrorNote error={action.error} />
      </Confirm>
    </>
  )
}
