import { lazy, Suspense } from 'react'
import { useSearchParams } from '../../platform/form/index.ts'
import { Button, Skeleton } from '../../platform/ui/index.ts'
import { text } from './picture.messages.ts'
import type { PictureProps } from './picture.panel.tsx'
import styles from './view-switch.module.css'

const LazyPicture = lazy(() => import('./picture.panel.tsx').then(({ Picture }) => ({ default: Picture })))

/** Whether the steps are shown as a picture. The URL has the choice. */
export function useIsPicture(): boolean {
  return useSearchParams()[0]['view'] === 'picture'
}

export function ViewSwitch() {
  const change = useSearchParams()[1]
  const isPicture = useIsPicture()
  return (
    <div className={styles['views']} role="group" aria-label={text.view}>
      <Button small aria-pressed={!isPicture} onClick={() => change({ view: '' })}>
        {text.list}
      </Button>
      <Button small aria-pressed={isPicture} onClick={() => change({ view: 'picture' })}>
        {text.picture}
      </Button>
    </div>
  )
}

/** The code of the picture is loaded when it is first shown. */
export function PictureView(props: PictureProps) {
  return (
    <Suspense fallback={<Skeleton label={text.loading} />}>
      <LazyPicture {...props} />
    </Suspense>
  )
}
