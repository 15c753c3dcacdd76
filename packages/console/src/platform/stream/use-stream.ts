import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi, useEnvironment } from '../api/environment.tsx'
import { realNowMs } from '../time/clock.ts'
import { readStream } from './stream.ts'

/** Twice a second, however many events there are. */
const gatherMs = 500
/** What is committed together comes together: the first after a rest waits for no more than that. */
const togetherMs = 30
/** A tab that nobody looks at lets its connection go: a browser has six of them. */
const closeHiddenAfterMs = 30_000

export interface StreamUse {
  /** What an event makes stale. */
  staleBy: Readonly<Record<string, readonly string[]>>
  clock: (data: string) => void
}

/** Keeps what is on the screen as it is on the server. False while there is no connection. */
export function useStream({ staleBy, clock }: StreamUse): boolean {
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  const [connected, setConnected] = useState(true)
  const visible = useVisible()
  useEffect(() => {
    if (!visible) return undefined
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let flushedAtMs = 0
    const flush = (): void => {
      timer = undefined
      flushedAtMs = realNowMs()
      for (const area of stale) void client.invalidateQueries({ queryKey: [environment, area] })
      stale.clear()
    }
    let lost = false
    const stop = readStream(api, {
      event(type) {
        for (const area of staleBy[type] ?? []) stale.add(area)
        timer ??= setTimeout(flush, Math.max(togetherMs, flushedAtMs + gatherMs - realNowMs()))
      },
      other(kind, data) {
        if (kind === 'clock') clock(data)
        else void client.invalidateQueries({ queryKey: [environment] })
      },
      connected(on) {
        setConnected(on)
        // Nobody knows what happened meanwhile where no event had come before.
        if (on && lost) void client.invalidateQueries({ queryKey: [environment] })
        lost = !on
      },
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [api, client, clock, environment, staleBy, visible])
  return connected
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
