import { Children, useEffect, useRef, type ReactNode } from 'react'
import { Boundary } from './boundary.tsx'
import { classes } from './classes.ts'
import styles from './ui.module.css'

export interface PageProps {
  title: string
  /** The title of the browser tab, if the heading alone would not be clear enough. */
  documentTitle?: string
  beside?: ReactNode
  actions?: ReactNode
  lead?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** A page has its own title and one heading, which gets the focus when the user navigates to the page. */
export function Page({ title, documentTitle, beside, actions, lead, wide = false, children }: PageProps) {
  useTitle(documentTitle ?? title)
  return (
    <div className={classes(styles['page'], wide && styles['wide'])}>
      <header className={styles['head']}>
        <Heading>{title}</Heading>
        {beside}
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
      {apart(children)}
    </div>
  )
}

export function Heading({ children, hidden = false }: { children: ReactNode; hidden?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // On the first page the browser chooses the focus, and an open dialog keeps the focus.
    const { activeElement } = document
    if (
      document.documentElement.dataset['visited'] === 'yes' &&
      activeElement?.closest('[role=dialog],[role=alertdialog]') === null
    )
      heading.current?.focus({ preventScroll: true })
    document.documentElement.dataset['visited'] = 'yes'
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={hidden ? 'visually-hidden' : undefined}>
      {children}
    </h1>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Overture`
  }, [title])
}

export interface PanelProps {
  title?: string
  actions?: ReactNode
  flush?: boolean
  label?: string
  children: ReactNode
}

export function Panel({ title, actions, flush = false, label, children }: PanelProps) {
  return (
    <section className={classes(styles['panel'], flush && styles['flush'])} aria-label={label ?? title}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles['panelHead']}>
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
        </header>
      )}
      <Boundary>{children}</Boundary>
    </section>
  )
}

export function Stack({ children, tight = false }: { children: ReactNode; tight?: boolean }) {
  return <div className={classes(styles['stack'], tight && styles['tight'])}>{children}</div>
}

export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{apart(children)}</div>
}

/** Wraps each part of a page in its own error boundary. */
function apart(children: ReactNode): ReactNode {
  return Children.map(children, (child) => child && <Boundary>{child}</Boundary>)
}
