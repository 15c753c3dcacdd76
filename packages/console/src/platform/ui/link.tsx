import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string
  replace?: boolean
}

/** A link within the console. It behaves like a browser link, but does not reload the page. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const router = useRouter()
  const go = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    void router.navigate({ href: to, replace })
  }
  return <a {...rest} href={to} onClick={go} />
}

/** Navigates from code. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return (to, { replace = false } = {}) => void router.navigate({ href: to, replace })
}
