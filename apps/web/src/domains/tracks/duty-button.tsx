import { AimOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { getDuty, setDuty } from '@zhugong/contract/tracks/calls'
import { useEffect, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useGroupType } from '#kit/me.ts'
import { followOwnPlace } from './own-places.ts'

const DutyDrawer = laterDialog(() => import('./duty-drawer.tsx').then((file) => file.DutyDrawer))

const everyMs = 60_000

/** In the header of officers: whether this device reports its position now. */
export function DutyButton() {
  const isBody = useGroupType() === groupTypes.government
  const may = useCan(setDuty)
  return isBody && may ? <Duty /> : null
}

function Duty() {
  const { data } = useCall(getDuty, { query: {} }, { quiet: true, everyMs })
  const [open, setOpen] = useState(false)
  const [problem, setProblem] = useState<string>()
  const follows = data?.on === true && data.open
  useEffect(() => (follows ? followOwnPlace(setProblem) : undefined), [follows])
  // Keeps the place of the icon, so that the header does not shift.
  if (!data) return <span className="icon" aria-hidden="true" />
  const word = !data.on ? '定位关' : data.open ? '定位开' : '定位暂停'
  return (
    <>
      <button
        type="button"
        className={`zg-bare icon duty ${follows && !problem ? 'on' : ''}`}
        title={`${word}：${problem ?? data.why}`}
        aria-label={word}
        onClick={() => setOpen(true)}
      >
        <AimOutlined />
      </button>
      {open && <DutyDrawer duty={data} problem={follows ? problem : undefined} onClose={() => setOpen(false)} />}
    </>
  )
}
