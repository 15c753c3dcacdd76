import { useBlocker } from '@tanstack/react-router'
import { text } from '../text/platform.messages.ts'
import { Confirm } from './dialog.tsx'

export interface UnsavedProps {
  /** Whether there is input that is not saved anywhere. */
  hasUnsaved: boolean
  /** Saves before the user leaves, for pages that save automatically. Returns true if everything is saved. */
  flush?: () => Promise<boolean>
}

/** Asks before the user leaves the page and loses unsaved input. */
export function Unsaved({ hasUnsaved, flush }: UnsavedProps) {
  const blocker = useBlocker({
    disabled: !hasUnsaved,
    enableBeforeUnload: hasUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      return flush === undefined || !(await flush())
    },
    withResolver: true,
  })
  return (
    <Confirm
      title={text.leaveTitle}
      open={blocker.status === 'blocked'}
      close={() => blocker.reset?.()}
      confirm={() => blocker.proceed?.()}
      confirmLabel={text.leave}
      danger
    >
      <p>{text.leaveText}</p>
    </Confirm>
  )
}
