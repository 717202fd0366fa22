import type { getAlarm } from '@zhugong/contract/alarms/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { lazy, type ReactNode, Suspense } from 'react'
import { colors } from '#kit/colors.ts'
import { PageDrawer } from '#kit/overlay.tsx'

export type AlarmFile = OutputFor<typeof getAlarm>

const Detail = lazy(() => import('./alarm-detail.tsx').then((file) => ({ default: file.AlarmDetail })))

/** One alarm at the right of any page; the page keeps `alarmId` in its address, so that a link in a message opens it. */
export function AlarmDrawer({
  id,
  onClose,
  drawing,
}: {
  id: string | undefined
  onClose: () => void
  /** The machine at the peak, by whoever can draw it. */
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
