import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { text } from '../text/platform.messages.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { DialogClose } from './dialog-close.ts'
import type { ConfirmProps, DialogProps } from './dialog-props.ts'
import styles from './ui.module.css'

export function BaseDialog({ title, open, close, wide = false, toRead = false, children, foot }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && close()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup
          ref={popup}
          className={classes(styles['dialog'], wide && styles['dialogWide'])}
          {...(toRead && { initialFocus: popup })}
        >
          <Base.Title>{title}</Base.Title>
          <DialogClose value={foot === undefined ? null : close}>{children}</DialogClose>
          <div className={styles['dialogFoot']}>
            {foot}
            {foot === undefined && <Button onClick={close}>{text.close}</Button>}
          </div>
          {/* The last element, so that the first field keeps the focus when the dialog opens. */}
          {foot !== undefined && (
            <button type="button" className={styles['dialogClose']} aria-label={text.close} onClick={close}>
              <X size={18} aria-hidden />
            </button>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export function BaseConfirm({
  title,
  open,
  close,
  confirm,
  confirmLabel,
  danger = false,
  busy = false,
  children,
}: ConfirmProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['backdrop']} />
        <AlertDialog.Popup className={styles['dialog']} initialFocus={cancel}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          <div className={styles['dialogFoot']}>
            <button type="button" ref={cancel} className={styles['button']} onClick={close}>
              {text.cancel}
            </button>
            <Button look={danger ? 'danger' : 'primary'} busy={busy} onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
