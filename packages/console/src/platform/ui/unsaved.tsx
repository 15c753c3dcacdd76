import { useBlocker } from '@tanstack/react-router'
import { text } from '../text/platform.messages.ts'
import { Confirm } from './dialog.tsx'

export interface UnsavedProps {
  /** Something was written that is nowhere else. */
  left: boolean
  /** Saves it before one goes, where it is saved by itself; true: nothing is left. */
  flush?: () => Promise<boolean>
}

/** Whoever goes elsewhere is asked before what they wrote is lost. */
export function Unsaved({ left, flush }: UnsavedProps) {
  const blocker = useBlocker({
    disabled: !left,
    enableBeforeUnload: left,
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
