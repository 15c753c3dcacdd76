import type { ReactNode } from 'react'
import { Heading, useTitle } from '../platform/ui/index.ts'
import styles from './users.module.css'

const product = 'Overture'

export function Card({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main className={styles['outer']}>
      <div className={styles['card']}>
        <div className={styles['brand']}>
          <img src="/app/icon.svg" alt="" />
          {product}
        </div>
        <Heading>{title}</Heading>
        <p className={styles['lead']}>{lead}</p>
        {children}
      </div>
    </main>
  )
}
