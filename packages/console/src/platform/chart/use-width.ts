import { useCallback, useState } from 'react'

/**
 * The width of a chart on the screen. A chart that is drawn in this width has text as large as other text. `firstWidth` is used until the
 * chart is measured.
 */
export function useWidth(firstWidth: number): [(chart: Element | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(firstWidth)
  const measure = useCallback((chart: Element | null) => {
    if (chart === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.round(entry?.contentRect.width ?? 0)
      if (measured > 0) setWidth(measured)
    })
    observer.observe(chart)
    return () => observer.disconnect()
  }, [])
  return [measure, width]
}
