import { CalendarOutlined, PrinterOutlined } from '@ant-design/icons'
import { dutyGroups, dutySources, dutyStates, rhythms } from '@zhugong/contract/papers/duties'
import { removePaper } from '@zhugong/contract/papers/quality'
import { createSafetyPaper, type DutyRow, exemptDuty, linkSafetyRecord, listSafety, safetyList } from '@zhugong/contract/papers/safety'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { month as monthOf, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { DayStrip } from './day-strip.tsx'
import { dutyTones, Files, LateTag, OneProject, paths } from './paper-words.tsx'
import { FileDuty, LinkDuties, SinceForm } from './safety-forms.tsx'
import './papers.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'overdue', label: '逾期' },
  { value: 'soon', label: '30 日内到期' },
  { value: 'owed', label: '应归' },
  { value: 'filed', label: '已归' },
]
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))

/** What was due by now and is not there? */
export default function SafetyPage() {
  return (
    <OneProject why="安全资料按项目查看，最近使用的在前">
      {(projectCode) => <Duties key={projectCode} projectCode={projectCode} />}
    </OneProject>
  )
}

function Duties({ projectCode }: { projectCode: string }) {
  const query = { projectCode }
  const list = useListPage(safetyList, { scope: query, tabs: ['tab', 'month'], own: ['project'], defaultSize: 50 })
  const { month } = list.filters
  const project = usePageQuery().get('project') ?? undefined
  const { data } = useCall(listSafety, { query: { ...query, month: month || undefined, size: 1 } }, { quiet: true, keepPrevious: true })
  const [filing, setFiling] = useState<DutyRow>()
  const [linking, setLinking] = useState<{ rows: readonly DutyRow[]; done: () => void }>()
  const [since, setSince] = useState(false)
  const print = usePrint('safetyMonth')
  const exempt = useAct(exemptDuty, { success: '已办理' })
  const remove = useAct(removePaper, { success: '已撤回' })
  const counts = data?.counts
  const manages = data?.manages ?? false
  const printed = month || monthOf(Date.now())
  const waive = async (row: DutyRow, on: boolean) => {
    const reason = await askReason(`${on ? '免除' : '恢复'} ${row.item}（${row.due}）`, '原因')
    if (reason) await exempt.run({ query, body: { duty: row.duty, period: row.period, exempt: on, reason } })
  }
  const takeBack = async (row: DutyRow) => {
    const id = row.paperId
    if (id && (await confirmDanger({ thing: `撤回 ${row.item}（${row.due}）`, consequence: '该项恢复为未归。', verb: '撤回' })))
      await remove.run({ params: { id }, query })
  }
  const isOpen = (row: DutyRow) => row.owed && (row.state === 'open' || row.state === 'overdue')
  return (
    <ListShell
      remark={data && `自 ${data.since} 起算${data.sinceReason ? `（${data.sinceReason}）` : ''}`}
      titleActions={
        <span className="zg-row">
          {manages && (
            <Button icon={<CalendarOutlined />} onClick={() => setSince(true)}>
              起算日
            </Button>
          )}
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'safetyMonth', exportType: 'pdf', query: { projectCode, month: printed } } })}
          >
            打印 {printed}
          </Button>
        </span>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '应归', value: thousands(counts?.owed), unit: '份', href: hrefOf(paths.safety, { tab: 'owed', project }) },
            {
              label: '已归率',
              value: counts?.rate === null || !counts ? '--' : `${counts.rate}`,
              unit: '%',
              remark: counts && `已归 ${counts.filed}`,
              href: hrefOf(paths.safety, { tab: 'filed', project }),
            },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '份',
              tone: counts?.overdue ? 'danger' : undefined,
              href: hrefOf(paths.safety, { tab: 'overdue', project }),
            },
            {
              label: '30 日内到期',
              value: thousands(counts?.soon),
              unit: '份',
              tone: counts?.soon ? 'warning' : undefined,
              href: hrefOf(paths.safety, { tab: 'soon', project }),
            },
          ]}
        />
      }
      above={
        <DayStrip
          days={data?.days ?? []}
          month={month}
          chosen={list.filters.due}
          onMonth={(next) => list.setFilter('month', next)}
          onDay={(day) => list.setFilter('due', day && `${day},${day}`)}
        />
      }
    >
      <DataTable
        list={list}
        columns={useColumns()}
        unit="份"
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        search={{ key: 'item', placeholder: '资料名称' }}
        emptyHint="没有符合条件的应归资料"
        selection={{
          unit: '份',
          disabled: (row) => !isOpen(row),
          actions: (rows, clear) => (
            <Can call={linkSafetyRecord} at={{ projectCode }}>
              <Button onClick={() => setLinking({ rows, done: clear })}>批量关联记录</Button>
            </Can>
          ),
        }}
        actions={(row) => [
          isOpen(row) && { label: '上传', needs: createSafetyPaper, onClick: () => setFiling(row) },
          isOpen(row) && { label: '关联', needs: linkSafetyRecord, onClick: () => setLinking({ rows: [row], done: () => undefined }) },
          isOpen(row) && manages && { label: '免除', needs: exemptDuty, onClick: () => waive(row, true) },
          row.state === 'exempt' && manages && { label: '恢复应归', needs: exemptDuty, onClick: () => waive(row, false) },
          row.link !== null && { label: '查看', href: row.link },
          row.paperId !== null && { label: '撤回', danger: true, needs: removePaper, onClick: () => takeBack(row) },
        ]}
      />
      {filing && <FileDuty row={filing} onClose={() => setFiling(undefined)} />}
      {linking && (
        <LinkDuties
          projectCode={projectCode}
          rows={linking.rows}
          onClose={(linked) => {
            if (linked) linking.done()
            setLinking(undefined)
          }}
        />
      )}
      {since && data && <SinceForm projectCode={projectCode} since={data.since} onClose={() => setSince(false)} />}
    </ListShell>
  )
}

const leftWords = (row: DutyRow) =>
  row.state === 'filed' || row.state === 'exempt'
    ? '--'
    : row.left < 0
      ? `已过 ${-row.left} 天`
      : row.left === 0
        ? '今天'
        : `${row.left} 天`

function useColumns(): ColumnOf<typeof safetyList>[] {
  return [
    { key: 'group', width: 120, sort: true, filter: 'multi', options: optionsOf(dutyGroups), value: (r) => r.groupName },
    {
      key: 'item',
      width: 240,
      locked: true,
      filter: 'text',
      value: (r) => (r.link ? <Link to={r.link}>{r.item}</Link> : r.item),
    },
    { key: 'rhythm', width: 90, filter: 'multi', options: optionsOf(rhythms), value: (r) => r.rhythmName },
    { key: 'due', width: 110, sort: true, filter: 'date-range', value: (r) => r.due },
    { key: 'left', width: 100, align: 'right', value: leftWords },
    {
      key: 'state',
      width: 140,
      keeps: true,
      filter: 'single',
      options: optionsOf(dutyStates),
      value: (r) => (
        <>
          <Tag tone={dutyTones[r.state]}>{r.stateName}</Tag> {r.late && <LateTag />}
        </>
      ),
    },
    {
      key: 'source',
      width: 220,
      keeps: true,
      filter: 'multi',
      options: optionsOf(dutySources),
      value: (r) => (r.files.length > 0 ? <Files files={r.files} /> : r.sourceName),
    },
    { key: 'filedBy', width: 100, weak: true, value: (r) => r.filedBy ?? '--' },
    { key: 'filedAt', width: 140, weak: true, value: (r) => r.filedAt?.slice(0, 16) ?? '--' },
    { key: 'reason', width: 180, weak: true, value: (r) => (r.reason ? `免除：${r.reason}` : '--') },
  ]
}
