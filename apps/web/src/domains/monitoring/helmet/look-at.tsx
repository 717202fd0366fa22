import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { listHelmets } from '@zhugong/contract/monitoring/helmet/helmets'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useCall } from '#kit/call.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { replayIn, replayText, type Span } from '../replay.ts'
import './helmet.css'

const mostHelmets = 500
/** From the first shift to the last: positions outside these hours are not kept. */
const [firstHour, lastHour] = [6, 20]

/** Person, time and reason of a look into the past: every look is logged and visible to that person. */
export interface Looked {
  deviceId: string
  span: Span
  reason: string
}

/** The working hours of a day. */
function dayOf(date: string): Span {
  const midnight = Date.parse(`${date}T00:00:00+08:00`)
  return { from: midnight + firstHour * hourMs, to: Math.min(Date.now(), midnight + lastHour * hourMs) }
}

export function useLookAt(projectCode: string, category: '700' | '701') {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const helmets = useCall(listHelmets, { query: { projectCode, category, size: mostHelmets } }, { quiet: true, staleMs: 60_000 })
  const list = helmets.data?.list ?? []
  const wanted = query.get('deviceId') ?? undefined
  const deviceId = list.some((one) => one.deviceId === wanted) ? wanted : undefined
  const own = replayIn(query.get('span'))
  const span = own ?? dayOf(day(Date.now()))
  const [looked, setLooked] = useState<Looked>()
  const put = (values: Record<string, string | undefined>) => {
    setLooked(undefined)
    go(page.path, { ...Object.fromEntries(query), ...values }, { replace: true })
  }
  return {
    list,
    loading: helmets.isPending,
    deviceId,
    span,
    /** Set after a reason was given for this person and time. */
    looked: looked && looked.deviceId === deviceId ? looked : undefined,
    put,
    look: async () => {
      if (!deviceId) return
      const reason = await askReason('查看个人轨迹', '事由（会留痕，本人可见）')
      if (reason) setLooked({ deviceId, span, reason })
    },
  }
}

/** Person, day and the button that asks for a reason. */
export function LookBar({ at }: { at: ReturnType<typeof useLookAt> }) {
  const { list, deviceId, span, put } = at
  return (
    <div className="helmet-ask">
      <Choice
        aria-label="人员"
        placeholder="选择人员"
        clear={false}
        loading={at.loading}
        value={deviceId}
        options={list.map((one) => ({
          value: one.deviceId,
          label: [one.workerName ?? one.deviceName, one.teamName].filter(Boolean).join(' · '),
        }))}
        onChange={(id) => put({ deviceId: id })}
      />
      <DayInput
        aria-label="日期"
        value={day(span.from)}
        onChange={(value) => {
          const wanted = value ? dayOf(value) : undefined
          if (wanted && wanted.to > wanted.from && wanted.to - wanted.from < dayMs) put({ span: replayText(wanted) })
        }}
      />
      <Button type="primary" disabled={!deviceId} onClick={() => void at.look()}>
        {at.looked ? '换个事由再看' : '填写事由并查看'}
      </Button>
    </div>
  )
}
