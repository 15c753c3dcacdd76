import { useState, type ReactNode } from 'react'
import { Button, type Look } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { ErrorNote } from './error.tsx'

export interface AskFirstProps extends Look {
  /** On the button that asks, and on the one that does it. */
  label: string
  title: string
  danger?: boolean
  disabledReason?: string | null
  action: { isPending: boolean; error: unknown; mutate: (input: void, options: { onSuccess: () => void }) => void }
  /** What will be so afterwards. */
  children: ReactNode
}

/** A button for what is not easily taken back: it asks, and says where it was asked what was refused. */
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
