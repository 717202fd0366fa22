import { EditOutlined, PrinterOutlined } from '@ant-design/icons'
import { constructionList, createConstructionLog, listConstructionLogs } from '@zhugong/contract/daylogs/construction'
import { impacts } from '@zhugong/contract/daylogs/fields'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
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
import { buildPaths, LogTag, stateOptions } from './log-words.tsx'
import { MonthPicker, thisMonth } from './month-picker.tsx'
import { useUnits } from './use-units.ts'
import './daylogs.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'written', label: '已提交' },
  { value: 'mine', label: '我写的' },
  { value: 'draft', label: '草稿' },
]
const impactOptions = Object.entries(impacts).map(([value, label]) => ({ value, label }))
const affecting = Object.keys(impacts).filter((one) => one !== 'none')

/** What was built each day, and does it match the plan? */
export default function ConstructionListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const { projectCode } = scope
  const one = projectCode !== '*'
  const print = usePrint('constructionBook')
  const list = useListPage(constructionList, { scope, defaultSort: '-day', tabs: ['tab'] })
  const month = list.filters.month ?? thisMonth()
  const { data } = useCall(listConstructionLogs, { query: { ...scope, month, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const counts = data?.counts
  const columns = useColumns(projectCode)
  const href = (more: string) => `${buildPaths.list}?month=${month}&tab=written${more}`
  return (
    <ListShell
      actions={
        <Can call={createConstructionLog}>
          <Button type="primary" icon={<EditOutlined />} onClick={() => go(buildPaths.form)}>
            新建
          </Button>
        </Can>
      }
      titleActions={
        one && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'constructionBook', exportType: 'pdf', query: { projectCode, month } } })}
          >
            打印 {month} 月册
          </Button>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '本月天数', value: thousands(counts?.due), unit: '天', remark: '停工与开工前不计' },
            { label: '已写', value: thousands(counts?.written), unit: '篇', href: href('') },
            {
              label: '影响施工',
              value: thousands(counts?.affected),
              unit: '篇',
              tone: counts?.affected ? 'warning' : undefined,
              href: href(`&impact=${affecting.join(',')}`),
            },
            { label: '窝工', value: thousands(counts?.idle), unit: '人次', tone: counts?.idle ? 'warning' : undefined },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="篇"
        search={{ key: 'parts', placeholder: '施工部位与内容' }}
        toolbar={
          <>
            <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
            <MonthPicker month={month} onMonth={(next) => list.setFilter('month', next)} />
          </>
        }
        filterWords={{
          late: { title: '补记', words: { true: '补记' } },
          month: { title: '月份', words: { [month]: month } },
        }}
        onRow={(row) => go(buildPaths.detail, { id: row.id })}
        emptyHint="每个单体每天一篇：机械、材料、进度任务已由系统带入"
        actions={(row) => [{ label: '查看', href: hrefOf(buildPaths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}

function useColumns(projectCode: string): ColumnOf<typeof constructionList>[] {
  const dicts = useDicts('weather')
  const units = useUnits(projectCode)
  const all: ColumnOf<typeof constructionList>[] = [
    { key: 'day', width: 110, locked: true, sort: true, filter: 'date-range', value: (r) => <span className="zg-num">{r.day}</span> },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    {
      key: 'unitName',
      width: 120,
      keeps: true,
      filter: useProjectCode() === '*' ? undefined : 'multi',
      filterKey: 'unit',
      options: units,
      value: (r) => r.unitName,
    },
    { key: 'weather', width: 90, filter: 'multi', options: dicts.options('weather'), value: (r) => r.weatherName },
    { key: 'parts', width: 240, filter: 'text', value: (r) => r.parts },
    { key: 'workerCount', width: 90, align: 'right', sort: true, value: (r) => r.workerCount },
    { key: 'ran', width: 180, weak: true, value: (r) => r.ran || null },
    { key: 'progress', width: 220, value: (r) => r.progress || null },
    {
      key: 'delayDays',
      width: 96,
      align: 'right',
      value: (r) => (r.delayDays !== null && r.delayDays > 0 ? <span className="tone-danger">{r.delayDays}</span> : null),
    },
    {
      key: 'impact',
      width: 100,
      filter: 'multi',
      options: impactOptions,
      value: (r) => (r.impact === 'none' ? null : <Tag tone="warning">{r.impactName}</Tag>),
    },
    { key: 'idleCount', width: 90, align: 'right', value: (r) => r.idleCount || null },
    { key: 'recorder', width: 100, sort: true, filter: 'text', value: (r) => r.recorder },
    { key: 'submittedAt', width: 140, weak: true, value: (r) => r.submittedAt?.slice(0, 16) },
    { key: 'state', width: 140, keeps: true, filter: 'multi', options: stateOptions, value: (r) => <LogTag row={r} /> },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
