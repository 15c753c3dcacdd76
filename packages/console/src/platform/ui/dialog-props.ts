import type { ReactNode } from 'react'

export interface DialogProps {
  title: string
  open: boolean
  close: () => void
  wide?: boolean
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
