import { dueKinds, noticeStates } from '@zhugong/contract/equipment/codes'
import type { getDevice } from '@zhugong/contract/equipment/endpoints'
import { closeRepair, createDue, createRepair, listRepairs } from '@zhugong/contract/equipment/service-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Input, Rate } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { daysLeft, daysUntil } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { useGo } from '#kit/page.tsx'
import './equipment.css'

type Device = OutputFor<typeof getDevice>
type DueKind = keyof typeof dueKinds
const kinds = Object.entries(dueKinds).map(([value, label]) => ({ value, label }))

/** Expiry dates and repairs of a device. */
export function DeviceService({ device }: { device: Device }) {
  const go = useGo()
  const repairs = useCall(listRepairs, { params: { id: device.id }, query: { size: 50 } }, { quiet: true })
  const [adding, setAdding] = useState<{ kind?: DueKind; dueDate?: string | undefined }>()
  const [closing, setClosing] = useState<{ id: string; measure: string; score: number; comment: string }>()
  const add = useAct(createDue, { success: '已登记', onDone: () => setAdding(undefined) })
  const report = useAct(createRepair, { success: '已报修' })
  const close = useAct(closeRepair, { success: '已完成', onDone: () => setClosing(undefined) })
  const tell = async () => {
    const fault = await askReason(`报修 ${device.name}`, '故障现象')
    if (fault) void report.run({ params: { id: device.id }, body: { fault } })
  }
  return (
    <>
      <Card
        title="到期事项"
        flush
        actions={
          <>
            <Button size="small" onClick={() => go('/iot-due-notice', { deviceName: device.name })}>
              去续期
            </Button>
            <Can call={createDue}>
              <Button size="small" onClick={() => setAdding({})}>
                登记到期
              </Button>
            </Can>
          </>
        }
      >
        {device.dues.length === 0 && <Empty small text="没有到期事项" hint="登记服务费、流量卡、检定与检验的到期日" />}
        {device.dues.map((one) => {
          const days = daysUntil(one.dueDate) ?? 0
          return (
            <div key={one.id} className="eq-row">
              <b>{dueKinds[one.kind as DueKind] ?? one.kind}</b>
              <span>{one.dueDate}</span>
              <Tag tone={days < 0 ? 'danger' : days <= 30 ? 'warning' : 'neutral'} icon={false}>
                {daysLeft(one.dueDate)}
              </Tag>
              <span className="right zg-2">{noticeStates[one.noticeState as keyof typeof noticeStates] ?? one.noticeState}</span>
            </div>
          )
        })}
      </Card>
      <Card
        title="报修"
        remark={device.providerName ? `由 ${device.providerName} 服务` : '没有登记供应商'}
        flush
        actions={
          <Can call={createRepair}>
            <Button size="small" loading={report.running} disabled={device.repairOpen > 0} onClick={() => void tell()}>
              报修
            </Button>
          </Can>
        }
      >
        {repairs.data?.list.length === 0 && <Empty small text="没有报修" hint="设备有故障时在这里报修，完成后评价" />}
        {(repairs.data?.list ?? []).map((one) => (
          <div key={one.id} className="eq-row">
            <Tag tone={one.doneAt ? 'fine' : one.hours > 48 ? 'danger' : 'warning'}>{one.doneAt ? '已修复' : '未结'}</Tag>
            <b>{one.fault}</b>
            <span className="zg-2">
              {one.byName} {one.at}，{one.doneAt ? '用时' : '已'} {one.hours} 小时
            </span>
            <span className="right">
              {one.doneAt ? (
                <>
                  <span className="zg-2">{one.measure}</span>
                  {one.score !== null && <Rate disabled value={one.score} className="zg-small" />}
                </>
              ) : (
                <Can call={closeRepair}>
                  <Button size="small" onClick={() => setClosing({ id: one.id, measure: '', score: 5, comment: '' })}>
                    完成并评价
                  </Button>
                </Can>
              )}
            </span>
          </div>
        ))}
      </Card>
      <PageModal
        open={adding !== undefined}
        title="登记到期"
        okButtonProps={{ loading: add.running, disabled: !adding?.kind || !adding.dueDate }}
        onOk={() => {
          if (adding?.kind && adding.dueDate)
            void add.run({ params: { id: device.id }, body: { kind: adding.kind, dueDate: adding.dueDate } })
        }}
        onCancel={() => setAdding(undefined)}
      >
        <div className="zg-stack">
          <label htmlFor="due-kind">类型</label>
          <Choice
            id="due-kind"
            value={adding?.kind ?? null}
            options={kinds}
            onChange={(kind) => setAdding((now) => ({ ...now, kind: kind ? (kind as DueKind) : undefined }))}
          />
          <label htmlFor="due-date">到期日</label>
          <DayInput id="due-date" value={adding?.dueDate ?? null} onChange={(dueDate) => setAdding((now) => ({ ...now, dueDate }))} />
        </div>
      </PageModal>
      <PageModal
        open={closing !== undefined}
        title="完成报修并评价"
        okButtonProps={{ loading: close.running, disabled: !closing?.measure.trim() }}
        onOk={() => {
          if (closing)
            void close.run({
              params: { id: device.id, repairId: closing.id },
              body: {
                measure: closing.measure.trim(),
                score: closing.score,
                comment: closing.comment.trim() || undefined,
              },
            })
        }}
        onCancel={() => setClosing(undefined)}
      >
        {closing && (
          <div className="zg-stack">
            <label htmlFor="repair-measure">处理结果</label>
            <Input.TextArea
              id="repair-measure"
              rows={3}
              maxLength={300}
              value={closing.measure}
              onChange={(event) => setClosing({ ...closing, measure: event.target.value })}
            />
            <span>评价</span>
            <Rate value={closing.score} onChange={(score) => setClosing({ ...closing, score: score || 1 })} />
            <label htmlFor="repair-comment">说明</label>
            <Input
              id="repair-comment"
              maxLength={200}
              value={closing.comment}
              onChange={(event) => setClosing({ ...closing, comment: event.target.value })}
            />
          </div>
        )}
      </PageModal>
    </>
  )
}
