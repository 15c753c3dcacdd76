import type { LucideIcon } from 'lucide-react'
import { Button } from '../../platform/ui/index.ts'

const iconSize = 16

interface IconButton {
  label: string
  Icon: LucideIcon
  /** Undefined if the action is not possible for this item. */
  act: (() => void) | undefined
}

/** The actions on a step or a path, as icon buttons with accessible names. */
export function IconButtons({ buttons, fixed }: { buttons: readonly IconButton[]; fixed: string | null }) {
  return buttons.map(
    ({ label, Icon, act }) =>
      act !== undefined && (
        <Button
          key={label}
          small
          icon
          look="quiet"
          aria-label={label}
          title={label}
          disabledReason={fixed}
          quietReason
          onClick={act}
        >
          <Icon size={iconSize} aria-hidden />
        </Button>
      ),
  )
}
