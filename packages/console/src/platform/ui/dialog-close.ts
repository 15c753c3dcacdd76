import { createContext } from 'react'

/** Closes the dialog around a form. Null outside of dialogs, and in a dialog with its own Close button. */
export const DialogClose = createContext<(() => void) | null>(null)
