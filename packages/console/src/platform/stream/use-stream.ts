import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi, useEnvironment } from '../api/environment.tsx'
import { realNowMs } from '../time/clock.ts'
import { dueInMs, dueNow } from './gather.ts'
import { readStream } from './stream.ts'

/** A tab that is hidden closes its connection, since a browser has only six per host. */
const closeHiddenAfterMs = 30_000
/** The longest time that a page waits for its stream to begin. */
const beginWithinMs = 400

export interface StreamUse {
  /** The areas that each type of event makes stale. */
  staleBy: Readonly<Record<string, readonly string[]>>
  /** The minimum time between two reads of a costly area, in milliseconds. */
  apartMs: Readonly<Record<string, number>>
  clock: (data: string) => void
}

export interface StreamState {
  /** False while there is no connection. */
  connected: boolean
  /** Whether the stream has begun. Data that is read from then on is kept up to date by the stream. */
  begun: boolean
}

/** Keeps the data on the screen up to date with the server. */
export function useStream({ staleBy, apartMs, clock }: StreamUse): StreamState {
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  const [connected, setConnected] = useState(true)
  const [begun, setBegun] = useState(false)
  const visible = useVisible()
  useEffect(() => {
    if (!visible) return undefined
    const stale = new Set<string>()
    const readAtMs = new Map<string, number>()
    const gathered = { stale, readAtMs, apartMs }
    let timer: ReturnType<typeof setTimeout> | undefined
    const plan = (): void => {
      clearTimeout(timer)
      const inMs = dueInMs(gathered, realNowMs())
      timer = inMs === null ? undefined : setTimeout(flush, inMs)
    }
    const flush = (): void => {
      const nowMs = realNowMs()
      for (const area of dueNow(gathered, nowMs)) {
        stale.delete(area)
        readAtMs.set(area, nowMs)
        void client.invalidateQueries({ queryKey: [environment, area] })
      }
      plan()
    }
    // Data that was read before the stream began may have changed since, and no event will report it.
    let missed = true
    const begin = setTimeout(() => setBegun(true), beginWithinMs)
    const stop = readStream(api, {
      event(type) {
        const areas = (staleBy[type] ?? []).filter((area) => !stale.has(area))
        for (const area of areas) stale.add(area)
        // An area that was already stale has its timer, so a burst of events never delays it.
        if (areas.length > 0) plan()
      },
      other(kind, data) {
        if (kind === 'clock') return clock(data)
        setBegun(true)
        setConnected(true)
        void client.invalidateQueries({ queryKey: [environment] })
      },
      connected(on) {
        setConnected(on)
        if (on) setBegun(true)
        // Events may have been missed, since no event was received to continue from.
        if (on && missed) void client.invalidateQueries({ queryKey: [environment] })
        missed = !on
      },
    })
    return () => {
      clearTimeout(timer)
      clearTimeout(begin)
      stop()
    }
  }, [api, client, clock, environment, staleBy, apartMs, visible])
  return { connected, begun }
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = (): void => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') setVisible(true)
      else timer = setTimeout(() => setVisible(false), closeHiddenAfterMs)
    }
    document.addEventListener('visibilitychange', changed)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', changed)
    }
  }, [])
  return visible
}
