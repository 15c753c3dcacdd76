import { useEffect, useId, useRef } from 'react'
import styles from './frame.module.css'

/**
 * Shows a stranger's HTML in a frame without an origin. The HTML is posted to the frame, so that the frame has its own content security
 * policy. The frame reports its height.
 */
export function MailFrame({ title, html, images = false }: { title: string; html: string; images?: boolean }) {
  // A second post to the same frame would add a step to the browser history, so a new frame is used.
  return <FreshFrame key={`${images}${html}`} title={title} html={html} images={images} />
}

function FreshFrame({ title, html, images }: { title: string; html: string; images: boolean }) {
  const name = useId()
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    post(name, { html, images: images ? '1' : '', theme: document.documentElement.dataset['theme'] ?? 'light' })
    const heard = ({ source, data }: MessageEvent): void => {
      const height = (data as { overtureFrameHeight?: unknown } | null)?.overtureFrameHeight
      if (source !== frame.current?.contentWindow || typeof height !== 'number') return
      frame.current.style.height = `${Math.min(height, heightMax)}px`
    }
    addEventListener('message', heard)
    return () => removeEventListener('message', heard)
  }, [name, html, images])
  return (
    <iframe
      ref={frame}
      name={name}
      title={title}
      className={styles['frame']}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
    />
  )
}

const heightMax = 4_000

function post(target: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: '/app/frame', target, hidden: true })
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('textarea')
    Object.assign(input, { name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
