import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { deviationNames, ticketStatus, ticketStatusNames, weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { findTicketGroups, findTickets, ticketGroupList, ticketList } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { correctTicket, manualWeighing } from '@zhugong/contract/monitoring/weigh/weighing'
import { Button, Segmented } from 'antd'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { type ListPage, useListPage } from '#kit/list.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { FamilyRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import { Deviation, DeviationTag, StatusTag, tonnes } from './ticket-words.tsx'
import './yard.css'

type Ticket = OutputFor<typeof findTickets>['list'][number]
type Sums = OutputFor<typeof findTickets>['sums']
/** Most tickets printed at once; more are exported as a list. */
const mostPrints = 20

const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

/** What came and went, by supplier and material, and does it agree with the delivery notes? */
export default function TicketListPage() {
  const scope = useFamilyScope({ family: 'weighbridge', usual: '30' })
  const isGrouped = usePageQuery().get('by') === 'supplier'
  const choose = (
    <Segmented
      aria-label="汇总"
      value={isGrouped ? 'supplier' : 'each'}
      options={[
        { value: 'each', label: '逐车' },
        { value: 'supplier', label: '按供应商汇总' },
      ]}
      onChange={(value) => scope.put({ by: value === 'supplier' ? 'supplier' : undefined, sort: undefined })}
    />
  )
  return isGrouped ? <Groups scope={scope} choose={choose} /> : <Tickets scope={scope} choose={choose} />
}

const figuresOf = (sums: Sums | undefined) => [
  {
    label: '车次',
    value: thousands(sums?.trucks),
    unit: '车',
    remark: sums?.manual ? `其中手工 ${sums.manual} 车，作废不计` : '所选范围与筛选，作废不计',
  },
  { label: '实重合计', value: sums?.actualWeight.toFixed(3), unit: 't' },
  {
    label: '负差合计',
    value: sums?.shortWeight.toFixed(3),
    unit: 't',
    remark: sums ? `${sums.shortTrucks} 车少于面单 1 % 以上` : undefined,
    tone: sums?.shortTrucks ? ('danger' as const) : undefined,
  },
  { label: '待二次过磅', value: sums?.waiting, unit: '车', tone: sums?.waiting ? ('warning' as const) : undefined },
]

interface WeighingsProps {
  scope: FamilyScope
  choose: React.ReactNode
  sums: ReturnType<typeof useSums>
  children: React.ReactNode
}

/** Frame of both views, with the sums of the list above. */
const Weighings = ({ scope, choose, sums, children }: WeighingsProps) => (
  <FamilyRecord
    scope={scope}
    unit="地磅"
    periods={['1', '7', '30', '90']}
    loading={!sums.data}
    figures={figuresOf(sums.data?.sums)}
    titleActions={choose}
  >
    {children}
  </FamilyRecord>
)

const choiceOf = (text: string | undefined) => (text === undefined ? undefined : text === 'true')

/** Sums over all pages of the filtered list. */
function useSums(scope: FamilyScope, { filters }: Pick<ListPage<Ticket>, 'filters'>) {
  const { billNo, plateNo, supplier, spec, material, weighType, status, deviationState, isManual, actualWeight, deviationPercent } = filters
  const request = { billNo, plateNo, supplier, spec, material, weighType, status, deviationState, actualWeight, deviationPercent }
  return useCall(
    findTickets,
    { query: { ...scope.query, ...request, isManual: choiceOf(isManual), size: 1 } },
    { quiet: true, keepPrevious: true },
  )
}

function Tickets({ scope, choose }: { scope: FamilyScope; choose: React.ReactNode }) {
  const go = useGo()
  const list = useListPage(ticketList, { scope: scope.query, own: scope.own, defaultSort: '-grossTime' })
  const sums = useSums(scope, list)
  const goods = useCall(
    findTicketGroups,
    { query: { ...scope.query, groupBy: 'supplier,material', size: 500 } },
    { quiet: true, staleMs: 300_000 },
  )
  const materials = [...new Set((goods.data?.list ?? []).map((one) => one.material).filter(Boolean))].map((name) => ({
    value: name,
    label: name,
  }))
  const print = usePrint('weighSlip')
  const act = useAct(correctTicket, { success: '磅单已作废' })
  const cancel = async (row: Ticket) => {
    const reason = await askReason(`作废磅单 ${row.billNo}`, '作废原因')
    if (reason) await act.run({ params: { id: row.id }, body: { action: 'void', reason, version: row.version } })
  }
  const columns: ColumnOf<typeof ticketList>[] = [
    {
      key: 'billNo',
      width: 140,
      locked: true,
      filter: 'text',
      value: (r) => <span className={r.status === ticketStatus.void ? 'yard-void' : ''}>{r.billNo}</span>,
    },
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: Ticket) => r.projectName }] : []),
    { key: 'deviceName', width: 92, hidden: true, value: (r) => r.deviceName },
    { key: 'plateNo', width: 100, locked: true, filter: 'text', sort: true, value: (r) => r.plateNo },
    {
      key: 'weighType',
      width: 96,
      filter: 'multi',
      options: optionsOf(weighTypeNames),
      value: (r) => weighTypeNames[r.weighType] ?? r.weighType,
    },
    { key: 'material', width: 124, filter: 'multi', options: materials, value: (r) => r.material },
    { key: 'spec', width: 120, filter: 'text', weak: true, value: (r) => r.spec },
    { key: 'supplier', width: 148, filter: 'text', sort: true, value: (r) => r.supplier },
    { key: 'grossWeight', width: 88, align: 'right', weak: true, value: (r) => tonnes(r.grossWeight) },
    { key: 'tareWeight', width: 88, align: 'right', weak: true, value: (r) => tonnes(r.tareWeight) },
    { key: 'netWeight', width: 88, align: 'right', hidden: true, value: (r) => tonnes(r.netWeight) },
    { key: 'deductWeight', width: 88, align: 'right', weak: true, value: (r) => tonnes(r.deductWeight) },
    {
      key: 'actualWeight',
      width: 92,
      align: 'right',
      locked: true,
      sort: true,
      filter: 'numeric-range',
      value: (r) => tonnes(r.actualWeight),
    },
    { key: 'billWeight', width: 88, align: 'right', value: (r) => tonnes(r.billWeight) },
    {
      key: 'deviationPercent',
      width: 108,
      locked: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <Deviation state={r.deviationState} percent={r.deviationPercent} />,
    },
    {
      key: 'deviationState',
      width: 84,
      filter: 'multi',
      options: optionsOf(deviationNames),
      hidden: true,
      value: (r) => <DeviationTag state={r.deviationState} />,
    },
    { key: 'grossTime', width: 140, sort: true, value: (r) => time(r.grossTime).slice(5) },
    { key: 'tareTime', width: 140, weak: true, value: (r) => time(r.tareTime).slice(5) },
    { key: 'weigher', width: 84, weak: true, value: (r) => r.weigher },
    {
      key: 'isManual',
      width: 84,
      filter: 'single',
      options: yesNo,
      value: (r) => (r.isManual ? <Tag tone="warning">手工</Tag> : null),
    },
    { key: 'corrected', width: 72, value: (r) => (r.corrected ? <Tag tone="warning">已改动</Tag> : null) },
    {
      key: 'status',
      width: 108,
      locked: true,
      filter: 'multi',
      options: optionsOf(ticketStatusNames),
      value: (r) => <StatusTag status={r.status} overdue={r.overdue} awaitingAudit={r.awaitingAudit} />,
    },
  ]
  return (
    <Weighings scope={scope} choose={choose} sums={sums}>
      <DataTable
        list={list}
        columns={columns}
        unit="车"
        onRow={(row) => go('/loadometer/detail', { id: row.id })}
        toolbar={<ManualEntry scope={scope} />}
        emptyHint="这段时间没有过磅，或地磅没有上报"
        selection={{
          unit: '车',
          actions: (rows) => (
            <Button
              disabled={rows.length > mostPrints}
              loading={print.running}
              title={rows.length > mostPrints ? `一次最多打印 ${mostPrints} 张` : undefined}
              onClick={() => {
                for (const row of rows) void print.run({ body: { feature: 'weighSlip', exportType: 'pdf', query: { id: row.id } } })
              }}
            >
              打印磅单
            </Button>
          ),
        }}
        actions={(row) => [
          { label: '详情', href: hrefOf('/loadometer/detail', { id: row.id }) },
          row.status !== ticketStatus.void && {
            label: '修改',
            href: hrefOf('/loadometer/edit', { id: row.id }),
            needs: withCode(correctTicket, 'weighbridge.edit'),
          },
          row.status !== ticketStatus.void && {
            label: '作废',
            danger: true,
            needs: withCode(correctTicket, 'weighbridge.void'),
            onClick: () => cancel(row),
          },
        ]}
      />
    </Weighings>
  )
}

/** Manual weighing, offered while a bridge is offline. */
function ManualEntry({ scope }: { scope: FamilyScope }) {
  if (scope.projectCode === '*') return null
  return (
    <Can call={manualWeighing}>
      <Link to={hrefOf('/loadometer/edit', { manual: '1', deviceId: scope.deviceId })}>
        <Button>手工补录</Button>
      </Link>
    </Can>
  )
}

/** By supplier and material: who delivers less than the delivery notes say. */
function Groups({ scope, choose }: { scope: FamilyScope; choose: React.ReactNode }) {
  const go = useGo()
  const list = useListPage(ticketGroupList, { scope: { ...scope.query, groupBy: 'supplier,material' }, own: scope.own })
  const sums = useCall(findTickets, { query: { ...scope.query, size: 1 } }, { quiet: true, keepPrevious: true })
  const columns: ColumnOf<typeof ticketGroupList>[] = [
    { key: 'supplier', width: 200, locked: true, filter: 'text', value: (r) => r.supplier || '未填供应商' },
    { key: 'material', width: 160, filter: 'text', value: (r) => r.material || '未填货物' },
    { key: 'trucks', width: 84, align: 'right', value: (r) => thousands(r.trucks) },
    { key: 'manual', width: 92, align: 'right', weak: true, value: (r) => (r.manual === 0 ? null : thousands(r.manual)) },
    { key: 'actualWeight', width: 120, align: 'right', value: (r) => thousands(r.actualWeight, 3) },
    { key: 'billWeight', width: 120, align: 'right', value: (r) => (r.billWeight === 0 ? null : thousands(r.billWeight, 3)) },
    {
      key: 'deviation',
      width: 112,
      align: 'right',
      value: (r) => (r.billWeight === 0 ? null : <span className={r.deviation < 0 ? 'tone-danger' : ''}>{r.deviation.toFixed(3)}</span>),
    },
    {
      key: 'meanDeviationPercent',
      width: 132,
      align: 'right',
      value: (r) => (r.meanDeviationPercent === null ? null : r.meanDeviationPercent.toFixed(2)),
    },
    {
      key: 'worstPercent',
      width: 120,
      align: 'right',
      value: (r) =>
        r.worstPercent === null ? null : <span className={r.worstPercent <= -3 ? 'tone-danger' : ''}>{r.worstPercent.toFixed(2)}</span>,
    },
  ]
  return (
    <Weighings scope={scope} choose={choose} sums={sums}>
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        unit="组"
        emptyHint="这段时间没有完成的磅单"
        onRow={(row) =>
          go('/loadometer/record', { period: scope.period.text, supplier: row.supplier || undefined, material: row.material || undefined })
        }
        actions={(row) => [
          {
            label: '逐车',
            href: hrefOf('/loadometer/record', {
              period: scope.period.text,
              supplier: row.supplier || undefined,
              material: row.material || undefined,
            }),
          },
          row.worstId !== null && { label: '最差一车', href: hrefOf('/loadometer/detail', { id: row.worstId }) },
        ]}
      />
    </Weighings>
  )
}
