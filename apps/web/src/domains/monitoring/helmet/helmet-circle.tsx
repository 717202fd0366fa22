import { toPlace } from '@zhugong/contract/kit/plane'
import { type HelmetBroadcast, listBroadcasts, radiusRange, sendBroadcast } from '@zhugong/contract/monitoring/helmet/helmet-care'
import type { Site } from '@zhugong/contract/monitoring/site'
import { commandResults, warnTextMax } from '@zhugong/contract/telemetry/commands'
import { Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { NumberKnob } from '#kit/inputs.tsx'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import type { Point } from '../crane-geometry.ts'
import '../family.css'
import type { Projection } from '../plan-view.tsx'
import { metresAt } from '../zone-drawing.tsx'
import { usual } from './helmet-call.tsx'
import './helmet.css'
import { type Circle, within } from './helmet-state.ts'

const usualRadius = 30
const clamp = (radius: number) => Math.round(Math.min(radiusRange.high, Math.max(radiusRange.low, radius)))

/** A circle over the plan: press sets the centre, dragging the radius. */
export function CircleOnPlan({
  circle,
  projection,
  onChange,
}: {
  circle: Circle | undefined
  projection: Projection
  onChange: (circle: Circle) => void
}) {
  const from = useRef<Point | undefined>(undefined)
  const at = (event: React.PointerEvent): Point => {
    const box = event.currentTarget.closest('svg')?.getBoundingClientRect()
    return metresAt(projection, [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)])
  }
  const [cx, cy] = circle ? projection.at(circle.center) : [0, 0]
  return (
    <>
      {/* Keyboard users set people and radius beside the plan. */}
      <rect
        data-hit
        className="helmet-ground"
        width={projection.width}
        height={projection.height}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = at(event)
          onChange({ center: from.current, radius: circle?.radius ?? usualRadius })
        }}
        onPointerMove={(event) => {
          const center = from.current
          if (!center) return
          const [x, y] = at(event)
          const far = Math.hypot(x - center[0], y - center[1])
          // A press without dragging keeps the radius.
          if (far >= radiusRange.low) onChange({ center, radius: clamp(far) })
        }}
        onPointerUp={() => {
          from.current = undefined
        }}
      />
      {circle && <circle cx={cx} cy={cy} r={circle.radius * projection.k} className="helmet-circle" />}
    </>
  )
}

interface Person {
  id: string
  name: string
  at: Point | undefined
  online: boolean
  time: number | undefined
}

/** People within the circle, and a sentence to broadcast to them. */
export function CirclePanel({
  circle,
  people,
  chosen,
  now,
  site,
  projectCode,
  onChange,
  onClose,
}: {
  circle: Circle | undefined
  people: readonly Person[]
  chosen: Person | undefined
  now: number
  site: Site
  projectCode: string
  onChange: (circle: Circle) => void
  onClose: () => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const found = circle && within(people, circle, now)
  return (
    <section aria-label="圈选群呼" className="helmet-card">
      <h3>圈选群呼</h3>
      <p>在平面上按住圆心拖出范围；或选中一人，以其为圆心</p>
      <div className="acts">
        <Button
          ghost
          size="small"
          disabled={!chosen?.at}
          onClick={() => chosen?.at && onChange({ center: chosen.at, radius: circle?.radius ?? usualRadius })}
        >
          以{chosen?.name ?? '选中人员'}为圆心
        </Button>
        {circle && (
          <NumberKnob
            label="半径"
            unit="m"
            range={[radiusRange.low, radiusRange.high]}
            value={circle.radius}
            fallback={circle.radius}
            onChange={(radius) => onChange({ ...circle, radius: clamp(radius) })}
          />
        )}
      </div>
      {found && (
        <p role="status">
          范围内 {found.called.length} 人可呼叫
          {found.missed.length > 0 && `，${found.missed.length} 人离线或位置过期`}
        </p>
      )}
      <ul>
        {found?.called.map((one) => (
          <li key={one.id}>{one.name}</li>
        ))}
      </ul>
      <div className="acts">
        <Button type="primary" disabled={!found || found.called.length === 0} onClick={() => setIsOpen(true)}>
          播报
        </Button>
        <Button ghost onClick={onClose}>
          取消圈选
        </Button>
      </div>
      {isOpen && circle && found && (
        <SayWithin circle={circle} people={found.called} site={site} projectCode={projectCode} onClose={() => setIsOpen(false)} />
      )}
    </section>
  )
}

function SayWithin({
  circle,
  people,
  site,
  projectCode,
  onClose,
}: {
  circle: Circle
  people: readonly Person[]
  site: Site
  projectCode: string
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const act = useAct(sendBroadcast, { success: false, refreshes: [listBroadcasts] })
  const [result, setResult] = useState<HelmetBroadcast & { missed: number }>()
  const send = async () => {
    const [lng, lat] = site.origin
    const { lng: x, lat: y } = toPlace({ lng, lat }, circle.center[0], circle.center[1])
    const answer = await act.run({ query: { projectCode }, body: { lng: x, lat: y, radiusMeters: circle.radius, text: text.trim() } })
    if (answer) setResult(answer.data)
  }
  return (
    <PageModal
      open
      width={460}
      title={`向范围内 ${people.length} 人播报`}
      okText="播报"
      cancelText="关闭"
      okButtonProps={{ disabled: text.trim() === '' || result !== undefined, loading: act.running }}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <p className="zg-2">{people.map((one) => one.name).join('、')}。以发送时的位置为准，谁收到会记录在案。</p>
      <label htmlFor="circle-text">播报一句话（最多 {warnTextMax} 个字，帽内读出）</label>
      <Input id="circle-text" value={text} maxLength={warnTextMax} showCount onChange={(event) => setText(event.target.value)} />
      <div className="fam-acts">
        {usual.map((one) => (
          <Button key={one} size="small" onClick={() => setText(one)}>
            {one}
          </Button>
        ))}
      </div>
      {result && (
        <Notice tone={result.done === result.people.length ? 'fine' : 'warning'}>
          {result.people.length} 人中 {result.done} 人已播报{result.missed > 0 && `，另有 ${result.missed} 人离线或位置过期`}
          {result.people
            .filter((one) => one.result !== commandResults.done)
            .map((one) => (
              <div key={one.deviceId}>
                {one.name ?? '一人'}：{one.message || '没有应答'}
              </div>
            ))}
        </Notice>
      )}
    </PageModal>
  )
}

const shown = 50

/** Past broadcasts with receivers and answers. */
export function BroadcastLog({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const log = useCall(listBroadcasts, { query: { projectCode, size: shown } }, { quiet: true })
  const rows = log.data?.list ?? []
  return (
    <PageDrawer open size={720} title="圈选播报记录" onClose={onClose}>
      {log.isPending ? (
        <TableSkeleton rows={3} columns={5} />
      ) : log.error && !log.data ? (
        <ErrorPanel error={log.error} retry={log.refetch} />
      ) : rows.length === 0 ? (
        <Empty text="还没有圈选播报" hint="在人员分布上圈选范围后播报" />
      ) : (
        <table className="fam-table fam-kept">
          <thead>
            <tr>
              {['时间', '播报人', '内容', '半径', '收到', '没有收到'].map((one) => (
                <th key={one} scope="col">
                  {one}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.id}>
                <td>{time(one.at)}</td>
                <td>{one.byName}</td>
                <td>{one.text}</td>
                <td>{one.radiusMeters} m</td>
                <td>
                  {one.done} / {one.people.length}
                </td>
                <td>
                  {one.people
                    .filter((person) => person.result !== commandResults.done)
                    .map((person) => person.name ?? '一人')
                    .join('、') || '--'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PageDrawer>
  )
}
