import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import { sumWords, ticketStatus, weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { correctTicket, getTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import { Button } from 'antd'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, Known, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { span, time } from '#kit/format.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import '../family.css'
import { DeviationTag, StatusTag } from './ticket-words.tsx'
import { WeighChecks } from './weigh-checks.tsx'
import { WeighingSketch } from './weighing-sketch.tsx'
import './yard.css'

type Ticket = OutputFor<typeof getTicket>
/** A weighed truck passed the gate within this time. */
const aroundMs = 6 * 3_600_000

/** What exactly was weighed, and was anything changed? */
export default function TicketPage() {
  const id = usePageQuery().get('id') ?? ''
  const file = useCall(getTicket, { params: { id } }, { quiet: true, enabled: id !== '', staleMs: 0 })
  if (id === '')
    return <NothingChosen title="过磅记录详情" thing="磅单" one="一张磅单" from={{ path: '/loadometer/record', name: '过磅记录' }} />
  const ticket = file.data
  return (
    <DetailShell
      title={ticket ? `磅单 ${ticket.billNo}` : undefined}
      loading={file.isPending}
      error={file.error}
      retry={file.refetch}
      place={ticket && { projectCode: ticket.projectCode }}
      tags={
        ticket && (
          <>
            <StatusTag status={ticket.status} overdue={ticket.overdue} awaitingAudit={ticket.awaitingAudit} />
            <DeviationTag state={ticket.deviationState} />
            {ticket.isManual && <Tag tone="warning">手工</Tag>}
          </>
        )
      }
      facts={
        ticket
          ? [
              { label: '车牌', value: ticket.plateNo },
              { label: '货物', value: [ticket.material, ticket.spec].filter(Boolean).join(' ') },
              { label: '供应商', value: ticket.supplier },
              { label: '实重', value: ticket.actualWeight === null ? null : `${ticket.actualWeight.toFixed(3)} t` },
            ]
          : []
      }
      actions={ticket && <Actions ticket={ticket} />}
    >
      {ticket && <Shown ticket={ticket} />}
    </DetailShell>
  )
}

function Actions({ ticket }: { ticket: Ticket }) {
  const go = useGo()
  const print = usePrint('weighSlip')
  const mayPrint = useCan('weighbridge.print')
  const act = useAct(correctTicket, { success: '已处理' })
  const may = (action: Ticket['actions'][number]) => ticket.actions.includes(action)
  const decide = async (action: 'approve' | 'reject' | 'void', title: string, label: string) => {
    const reason = await askReason(title, label)
    if (reason) await act.run({ params: { id: ticket.id }, body: { action, reason, version: ticket.version } })
  }
  const open = (id: string) => go('/loadometer/detail', { id }, { replace: true })
  return (
    <>
      <Button disabled={ticket.previousId === null} onClick={() => ticket.previousId && open(ticket.previousId)}>
        上一单
      </Button>
      <Button disabled={ticket.nextId === null} onClick={() => ticket.nextId && open(ticket.nextId)}>
        下一单
      </Button>
      {may('approve') && (
        <Button type="primary" loading={act.running} onClick={() => decide('approve', `同意修改磅单 ${ticket.billNo}`, '审核意见')}>
          同意修改
        </Button>
      )}
      {may('reject') && (
        <Button loading={act.running} onClick={() => decide('reject', `退回磅单 ${ticket.billNo} 的修改`, '退回原因')}>
          退回
        </Button>
      )}
      {may('save') && (
        <Link to={hrefOf('/loadometer/edit', { id: ticket.id })}>
          <Button>修改</Button>
        </Link>
      )}
      {may('void') && (
        <Button danger loading={act.running} onClick={() => decide('void', `作废磅单 ${ticket.billNo}`, '作废原因')}>
          作废
        </Button>
      )}
      {mayPrint && (
        <Button
          loading={print.running}
          onClick={() => void print.run({ body: { feature: 'weighSlip', exportType: 'pdf', query: { id: ticket.id } } })}
        >
          打印
        </Button>
      )}
    </>
  )
}

/** Labels of the bridge's fields, compared with the current values. */
const weighedFields = [
  { label: '车牌', device: 'plateNo', now: (t: Ticket) => t.plateNo },
  { label: '货物', device: 'goodsName', now: (t: Ticket) => t.material },
  { label: '规格', device: 'goodsSpec', now: (t: Ticket) => t.spec },
  { label: '供应商', device: 'supplier', now: (t: Ticket) => t.supplier },
  { label: '毛重 t', device: 'grossWeight', now: (t: Ticket) => t.grossWeight?.toFixed(3) },
  { label: '皮重 t', device: 'tareWeight', now: (t: Ticket) => t.tareWeight?.toFixed(3) },
  { label: '扣重 t', device: 'deduction', now: (t: Ticket) => t.deductWeight.toFixed(3) },
  { label: '面单 t', device: 'plannedWeight', now: (t: Ticket) => t.billWeight?.toFixed(3) },
] as const

const said = (value: unknown): string =>
  typeof value === 'number' ? value.toFixed(3) : typeof value === 'string' && value !== '' ? value : '--'

function Shown({ ticket }: { ticket: Ticket }) {
  return (
    <div className="yard-page">
      {ticket.status === ticketStatus.void && <Notice tone="warning">磅单已作废：{ticket.voidReason}。记录保留，不计入合计</Notice>}
      {ticket.pending && (
        <Notice tone="warning">
          {ticket.pending.byName} 于 {time(ticket.pending.time)} {ticket.isManual && !ticket.corrected ? '手工补录' : '申请修改'}：
          {ticket.pending.changes.map(({ label, from, to }) => `${label} ${from} → ${to}`).join('；')}。原因：{ticket.pending.reason}
        </Notice>
      )}
      <Card title="过磅" remark={`${ticket.projectName} ${ticket.deviceName}`}>
        <p className="weigh-line">{sumWords(ticket)}</p>
        <WeighingSketch ticket={ticket} />
        <Pairs
          items={[
            { label: '类型', value: weighTypeNames[ticket.weighType] ?? ticket.weighType },
            { label: '收货单位', value: ticket.receiver },
            { label: '司磅员', value: ticket.weigher },
            { label: '来源', value: ticket.isManual ? manualWords(ticket) : '设备' },
            { label: '毛重时间', value: ticket.grossTime === null ? null : time(ticket.grossTime) },
            { label: '皮重时间', value: ticket.tareTime === null ? null : time(ticket.tareTime) },
            { label: '平台接收', value: time(ticket.receivedAt) },
            {
              label: '该车近次皮重',
              value:
                ticket.lastTares.length === 0
                  ? null
                  : ticket.lastTares
                      .slice(0, 5)
                      .map((one) => one.tareWeight.toFixed(2))
                      .join(' / '),
            },
          ]}
        />
        {ticket.photos.length > 0 && (
          <div className="fam-acts">
            {ticket.photos.map((src, i) => (
              <Thumb key={src} src={src} name={`过磅照片 ${i + 1}`} width={160} height={110} />
            ))}
          </div>
        )}
      </Card>
      <div className="yard-two">
        <Card title="设备原值与现值" remark="设备发来的值一直保留" flush>
          <table className="fam-table">
            <thead>
              <tr>
                <th>项目</th>
                <th>设备发来</th>
                <th>现在</th>
              </tr>
            </thead>
            <tbody>
              {weighedFields.map(({ label, device, now }) => {
                const [sent, current] = [said(ticket.device[device]), now(ticket) || '--']
                return (
                  <tr key={device}>
                    <td>{label}</td>
                    <td>{sent}</td>
                    <td className={sent === current || (sent === '--' && current === '0.000') ? '' : 'tone-warning'}>{current}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </Card>
        <Passages ticket={ticket} />
      </div>
      <WeighChecks ticket={ticket} />
      <Card title="修改记录" remark={`${ticket.log.length} 次`}>
        {ticket.log.length === 0 ? (
          <Empty small text="没有修改过" hint="所有值都是设备发来的" />
        ) : (
          <table className="fam-table">
            <thead>
              <tr>
                <th>时间</th>
                <th>修改人</th>
                <th>内容</th>
                <th>原因</th>
              </tr>
            </thead>
            <tbody>
              {[...ticket.log].reverse().map((one) => (
                <tr key={one.id}>
                  <td>{time(one.time)}</td>
                  <td>{one.byName}</td>
                  <td>{one.changes.map(({ label, from, to }) => `${label} ${from} → ${to}`).join('；') || actionWords[one.action]}</td>
                  <td>{one.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
    </div>
  )
}
/** Reason for the manual weighing, and whether the bridge was online. */
const manualWords = ({ device }: Ticket): string =>
  `手工补录（补录时地磅${device.bridgeOnline === true ? '在线' : '离线'}）${typeof device.manualReason === 'string' ? `：${device.manualReason}` : ''}`
const actionWords: Readonly<Record<string, string>> = {
  manual: '手工补录',
  save: '修改',
  approve: '同意修改',
  reject: '退回修改',
  void: '作废',
}

/** Passages of the truck around the weighing. */
function Passages({ ticket }: { ticket: Ticket }) {
  const maySee = useCan('vehicle-access.view')
  const list = useCall(
    listPassages,
    {
      query: {
        projectCode: ticket.projectCode,
        plateNo: ticket.plateNo,
        startTime: String(ticket.time - aroundMs),
        endTime: String(ticket.time + aroundMs),
        size: 10,
        sort: 'time',
      },
    },
    { quiet: true, enabled: maySee },
  )
  const rows = list.data?.list ?? []
  return (
    <Card
      title="出入记录"
      remark="同一车牌，前后 6 小时；两台设备的时钟可能不同"
      actions={<Link to={hrefOf('/vehicle/track', { plateNo: ticket.plateNo })}>轨迹</Link>}
    >
      {!maySee ? (
        <Empty small text="没有查看车辆出入的权限" />
      ) : rows.length === 0 ? (
        <Known of={list}>
          <Empty small text="没有该车的出入记录" />
        </Known>
      ) : (
        <ul className="fam-alarms">
          {rows.map((row) => {
            const apart = row.time - ticket.time
            return (
              <li key={row.id}>
                <Link to={hrefOf('/vehicleAccessRecord/details', { id: row.id })}>
                  {time(row.time).slice(5)} {row.gateName}
                </Link>
                <span className="zg-2">{`过磅${apart < 0 ? '前' : '后'} ${span(Math.abs(apart))}`}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
