import type { LucideIcon } from 'lucide-react'
import { Button } from '../../platform/ui/index.ts'

const iconSize = 16

interface IconButton {
  label: string
  Icon: LucideIcon
  /** Undefined: not to this one. */
  act: (() => void) | undefined
}

/** What can be done to a step or a way, by signs that have names. */
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
