import type { ReactNode } from 'react'

export interface DialogProps {
  title: string
  open: boolean
  close: () => void
  wide?: boolean
  /** The dialog is a text to read, so it opens at its top instead of at its first button. */
  toRead?: boolean
  children: ReactNode
  foot?: ReactNode
}

export interface ConfirmProps {
  title: string
  open: boolean
  close: () => void
  confirm: () => void
  confirmLabel: string
  danger?: boolean
  busy?: boolean
  children: ReactNode
}
