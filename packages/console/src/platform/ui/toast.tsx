import { Toast } from '@base-ui/react/toast'
import { text } from '../text/platform.messages.ts'
import styles from './ui.module.css'

const undoMs = 8_000
const manager = Toast.createToastManager()
const undoable: { undo: (() => void) | null } = { undo: null }

/** Says what was done, and takes it back for eight seconds where it can be taken back. */
export function say(message: string, undo?: () => void): void {
  const id = manager.add({
    title: message,
    timeout: undoMs,
    ...(undo !== undefined && {
      actionProps: {
        children: text.undo,
        onClick: () => {
          undoable.undo = null
          manager.close(id)
          undo()
        },
      },
    }),
    onClose: () => {
      if (undo !== undefined && undoable.undo === undo) undoable.undo = null
    },
  })
  undoable.undo = undo ?? null
}

/** Takes back what was done last, by key. */
export function undoLast(): void {
  const { undo } = undoable
  undoable.undo = null
  undo?.()
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles['toasts']} aria-label={text.notifications}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles['toast']}>
      <Toast.Title render={<p />} />
      {toast.actionProps !== undefined && <Toast.Action className={styles['toastAction']} />}
    </Toast.Root>
  ))
}
