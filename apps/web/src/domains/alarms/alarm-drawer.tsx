import { lazy, type ReactNode, Suspense } from 'react'
import { colors } from '#kit/colors.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import type { AlarmFile } from './alarm-file.ts'

const Detail = lazy(() => import('./alarm-detail.tsx').then((file) => ({ default: file.AlarmDetail })))

/** Drawer with one alarm, for any page. The page keeps `alarmId` in its URL, so that a link in a message opens the drawer. */
export function AlarmDrawer({
  id,
  onClose,
  drawing,
}: {
  id: string | undefined
  onClose: () => void
  /** Draws the device at the moment of the peak; only some families have a drawing. */
  drawing?: ((file: AlarmFile) => ReactNode) | undefined
}) {
  return (
    <PageDrawer
      open={id !== undefined}
      size={960}
      title={null}
      closable={false}
      styles={{ body: { padding: 0, background: colors.ground } }}
      onClose={onClose}
    >
      {id && (
        <Suspense fallback={<div className="zg-state">加载中</div>}>
          <Detail key={id} id={id} onClose={onClose} drawing={drawing} />
        </Suspense>
      )}
    </PageDrawer>
  )
}
