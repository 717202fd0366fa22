import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { liftDevice } from '@zhugong/contract/monitoring/lift/lift-live'
import { type ActiveStop, listLiftStops, resumeLift, stopLift } from '@zhugong/contract/monitoring/lift/lift-stops'
import { Button, Input, Tooltip } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Known, Notice, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, span, time } from '#kit/format.ts'
import { DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import './lift.css'

const { Field } = formOf(stopLift, resumeLift)

interface Lift {
  deviceId: string
  deviceName: string
  projectCode: string
  stop: ActiveStop | null
}
/** The alarm that is the reason to stop the lift, if any. */
interface For {
  id: string
  label: string
}
const refreshes = [listLiftStops, liftDevice, listAlarms]
const most = 50

/** Notice that a lift is out of use: since when, why, what is missing, and whether it ran nevertheless. */
export function StopNotice({ stop, now }: { stop: ActiveStop; now: number }) {
  return (
    <Notice tone="danger">
      已停用 {span(Math.max(0, now - stop.stoppedAt))}：{stop.reason}（{stop.byName}，{time(stop.stoppedAt).slice(0, 16)}）。
      {stop.runsSince > 0 && `停用以来仍运行 ${stop.runsSince} 次。`}
      {stop.missing.length > 0 ? `恢复使用还缺：${stop.missing.join('；')}` : '检查合格后可以恢复使用'}
    </Notice>
  )
}

/** The button that takes a lift out of use, or returns it to use. */
export function LiftStopButton({ lift, alarm }: { lift: Lift; alarm?: For | undefined }) {
  const mayStop = useCan(stopLift, { projectCode: lift.projectCode })
  const mayResume = useCan(resumeLift, { projectCode: lift.projectCode })
  const [open, setOpen] = useState(false)
  const { stop } = lift
  if (!stop)
    return (
      <>
        {mayStop && (
          <Button danger onClick={() => setOpen(true)}>
            停用
          </Button>
        )}
        {open && <StopForm lift={lift} alarm={alarm} onClose={() => setOpen(false)} />}
      </>
    )
  const missing = stop.missing.length > 0 ? `还缺：${stop.missing.join('；')}` : undefined
  return (
    <>
      {mayResume && (
        <Tooltip title={missing}>
          <Button type="primary" disabled={missing !== undefined} onClick={() => setOpen(true)}>
            恢复使用
          </Button>
        </Tooltip>
      )}
      {open && <ResumeForm lift={lift} stop={stop} onClose={() => setOpen(false)} />}
    </>
  )
}

function StopForm({ lift, alarm, onClose }: { lift: Lift; alarm: For | undefined; onClose: () => void }) {
  const act = useAct(stopLift, { success: '已停用', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={460}
      act={act}
      title="停用升降机"
      remark={lift.deviceName}
      initial={{ reason: alarm ? `${alarm.label}，停用检查` : undefined }}
      input={(body: BodyOf<typeof stopLift>) => ({
        query: { projectCode: lift.projectCode },
        body: { ...body, deviceId: lift.deviceId, alarmId: alarm?.id ?? null },
      })}
      onClose={onClose}
    >
      <Notice tone="info">登记停用后平台继续监测并统计停用期间的运行；现场仍须断电上锁、挂牌。</Notice>
      <Field name="reason" label="停用原因" required>
        <LongText rows={3} maxLength={200} />
      </Field>
    </FormDrawer>
  )
}

function ResumeForm({ lift, stop, onClose }: { lift: Lift; stop: ActiveStop; onClose: () => void }) {
  const act = useAct(resumeLift, { success: '已恢复使用', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={460}
      act={act}
      title="恢复使用"
      remark={`${lift.deviceName}，停用自 ${time(stop.stoppedAt).slice(0, 16)}`}
      initial={{ checkedOn: day(Date.now()), files: [] }}
      input={(body: BodyOf<typeof resumeLift>) => ({ params: { id: stop.id }, query: { projectCode: lift.projectCode }, body })}
      onClose={onClose}
    >
      <Field name="checkedOn" label="检查日期" required help="停用之后的检查才作数">
        <DayInput />
      </Field>
      <Field name="personName" label="检查人" required>
        <Input />
      </Field>
      <Field name="unitName" label="检查单位" help="安拆、检测或维保单位">
        <Input />
      </Field>
      <Field name="finding" label="检查结论" required help="查出的原因、修复的部位与试运行情况">
        <LongText rows={3} maxLength={300} />
      </Field>
      <Field name="files" label="检查照片" required>
        <Upload max={6} maxMb={20} accept="image/*" />
      </Field>
    </FormDrawer>
  )
}

/** Times in which a lift was out of use, newest first. */
export function LiftStops({ lift, onClose }: { lift: Lift; onClose: () => void }) {
  const all = useCall(listLiftStops, { query: { projectCode: lift.projectCode, deviceId: lift.deviceId, size: most } })
  const list = all.data?.list ?? []
  return (
    <PageDrawer open size={520} title={`停用记录　${lift.deviceName}`} onClose={onClose}>
      {list.length === 0 ? (
        <Known of={all}>
          <Empty text="没有停用过" />
        </Known>
      ) : (
        <ul className="lift-tests">
          {list.map((one) => (
            <li key={one.id}>
              {one.resumedAt === null ? <Tag tone="danger">停用中</Tag> : <Tag tone="fine">停用 {span(one.resumedAt - one.stoppedAt)}</Tag>}{' '}
              {time(one.stoppedAt).slice(0, 16)} {one.reason}
              <p className="zg-2">
                {[
                  one.alarmLabel && `因告警 ${one.alarmLabel}`,
                  `停用 ${one.byName}`,
                  one.resumedAt !== null && `${time(one.resumedAt).slice(0, 16)} ${one.resumedBy} 恢复`,
                  one.checkedOn && `${one.checkedOn} ${one.personName}${one.unitName ? `（${one.unitName}）` : ''} 检查：${one.finding}`,
                ]
                  .filter(Boolean)
                  .join('，')}
                {one.files.map((href, n) => (
                  <a key={href} href={href} target="_blank" rel="noreferrer">
                    　照片 {n + 1}
                  </a>
                ))}
              </p>
            </li>
          ))}
        </ul>
      )}
    </PageDrawer>
  )
}
