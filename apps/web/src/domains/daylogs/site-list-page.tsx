import { EditOutlined, PrinterOutlined } from '@ant-design/icons'
import { createSafetyLog, handleSafetyLogs, listSafetyLogs, safetyLogList, safetyLogMatrix } from '@zhugong/contract/daylogs/safety-log'
import type { LogRow } from '@zhugong/contract/daylogs/shapes'
import { Button, Segmented } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { LogTag, sitePaths, stateOptions } from './log-words.tsx'
import { MonthPicker, thisMonth } from './month-picker.tsx'
import { SiteMonth } from './site-month.tsx'
import './daylogs.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'written', label: '已写' },
  { value: 'unanswered', label: '未回复批阅' },
  { value: 'draft', label: '草稿' },
]

/** Is today's log written, and what is missing this month? */
export default function SiteListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const { projectCode } = scope
  const one = projectCode !== '*'
  const list = useListPage(safetyLogList, { scope, defaultSort: '-day', tabs: ['tab'] })
  const month = list.filters.month ?? thisMonth()
  const { data } = useCall(listSafetyLogs, { query: { ...scope, month, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const counts = data?.counts
  const columns = useColumns()
  const href = (more: string) => `${sitePaths.list}?${more}`
  return (
    <ListShell
      actions={
        <Can call={createSafetyLog}>
          <Button type="primary" icon={<EditOutlined />} onClick={() => go(sitePaths.form)}>
            写今日日志
          </Button>
        </Can>
      }
      titleActions={one && <OfMonth projectCode={projectCode} month={month} />}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '本月应写', value: thousands(counts?.due), unit: '篇', remark: '停工与开工前不计' },
            { label: '已写', value: thousands(counts?.written), unit: '篇', href: href(`month=${month}&tab=written`) },
            {
              label: '补记',
              value: thousands(counts?.late),
              unit: '篇',
              tone: counts?.late ? 'warning' : undefined,
              href: href(`month=${month}&tab=written&late=true`),
            },
            {
              label: '未回复批阅',
              value: thousands(counts?.unanswered),
              unit: '篇',
              tone: counts?.unanswered ? 'danger' : undefined,
              href: href('tab=unanswered'),
            },
          ]}
        />
      }
      above={one && <Month projectCode={projectCode} month={month} onMonth={(next) => list.setFilter('month', next)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="篇"
        search={{ key: 'parts', placeholder: '施工部位与内容' }}
        toolbar={
          <>
            <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
            {!one && <MonthPicker month={month} onMonth={(next) => list.setFilter('month', next)} />}
          </>
        }
        filterWords={{
          late: { title: '补记', words: { true: '补记' } },
          month: { title: '月份', words: { [month]: month } },
        }}
        onRow={(row) => go(sitePaths.detail, { id: row.id })}
        emptyHint="每天一篇：考勤、机械、检查、告警已由系统带入"
        actions={(row) => [{ label: '查看', href: hrefOf(sitePaths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}

const archives = { ...handleSafetyLogs, needs: ['safety-management.archive', 'safety-management.review'] }

/** The month as a book, and its archive. */
function OfMonth({ projectCode, month }: { projectCode: string; month: string }) {
  const print = usePrint('safetyPLogBook')
  const archive = useAct(handleSafetyLogs, {
    success: ({ done, skipped }) => (skipped > 0 ? `已归档 ${done} 篇，${skipped} 篇有未回复的批阅` : `已归档 ${done} 篇`),
  })
  return (
    <>
      <Button
        icon={<PrinterOutlined />}
        loading={print.running}
        onClick={() => void print.run({ body: { feature: 'safetyPLogBook', exportType: 'pdf', query: { projectCode, month } } })}
      >
        打印 {month} 月册
      </Button>
      <Can call={archives}>
        <Button
          loading={archive.running}
          onClick={() =>
            void archive.afterRequesting(
              { thing: `归档 ${month} 的日志`, consequence: '归档后不能修改，只能追加批阅；有未回复批阅的不归档。', verb: '归档' },
              { query: { projectCode }, body: { action: 'archiveMonth', month } },
            )
          }
        >
          归档本月
        </Button>
      </Can>
    </>
  )
}

function Month({ projectCode, month, onMonth }: { projectCode: string; month: string; onMonth: (month: string) => void }) {
  const go = useGo()
  const days = useCall(
    safetyLogMatrix,
    { query: { projectCode, view: 'matrix', month, page: 1, size: 1 } },
    { quiet: true, keepPrevious: true },
  )
  const logs = useCall(listSafetyLogs, { query: { projectCode, month, page: 1, size: 100 } }, { quiet: true, keepPrevious: true })
  const open = (date: string, log: LogRow | undefined) => (log ? go(sitePaths.detail, { id: log.id }) : go(sitePaths.form, { day: date }))
  return (
    <SiteMonth
      month={month}
      onMonth={onMonth}
      loading={!days.data || !logs.data}
      marks={days.data?.list[0]?.marks ?? ''}
      today={days.data?.today ?? ''}
      logs={logs.data?.list ?? []}
      onDay={open}
    />
  )
}

function useColumns(): ColumnOf<typeof safetyLogList>[] {
  const dicts = useDicts('weather')
  const all: ColumnOf<typeof safetyLogList>[] = [
    { key: 'day', width: 110, locked: true, sort: true, filter: 'date-range', value: (r) => <span className="zg-num">{r.day}</span> },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    { key: 'weather', width: 90, filter: 'multi', options: dicts.options('weather'), value: (r) => r.weatherName },
    { key: 'workerCount', width: 90, align: 'right', sort: true, value: (r) => r.workerCount },
    { key: 'attendCount', width: 90, align: 'right', weak: true, value: (r) => r.attendCount },
    { key: 'parts', width: 300, filter: 'text', value: (r) => r.parts },
    { key: 'problemCount', width: 70, align: 'right', value: (r) => r.problemCount || null },
    {
      key: 'commentCount',
      width: 110,
      keeps: true,
      value: (r) => (r.openComments > 0 ? <Tag tone="warning">{r.openComments} 条未回复</Tag> : r.commentCount || null),
    },
    { key: 'recorder', width: 100, sort: true, filter: 'text', value: (r) => r.recorder },
    { key: 'submittedAt', width: 140, weak: true, value: (r) => r.submittedAt?.slice(0, 16) },
    { key: 'state', width: 140, keeps: true, filter: 'multi', options: stateOptions, value: (r) => <LogTag row={r} /> },
  ]
  return useProjectCode() === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
