import { DownloadOutlined, PrinterOutlined, SafetyCertificateOutlined } from '@ant-design/icons'
import { dailyCounts } from '@zhugong/contract/attendance/days'
import { dayResults } from '@zhugong/contract/attendance/facts'
import { listFixes } from '@zhugong/contract/attendance/fix-endpoints'
import { verifyLedger } from '@zhugong/contract/attendance/ledger'
import { exportMonthly, listMonthly } from '@zhugong/contract/attendance/months'
import { Button, Dropdown, Input, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { call, callBlob, saveBlob, showFailure, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { month as monthText, thousands, time } from '#kit/format.ts'
import { Choices, MonthInput, TreeChoice } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePrint } from '#kit/use-print.ts'
import { CellCard } from './cell-card.tsx'
import { ClosingTab } from './closing-tab.tsx'
import { FixTab } from './fix-tab.tsx'
import { type ChosenCell, MonthSheet } from './month-sheet.tsx'
import { usePageParams } from './page-params.ts'
import type { SheetMode } from './sheet-layout.ts'
import { legend } from './sheet-mark.ts'
import './attendance.css'

/** Largest page size; more than the people of one site. */
const pageSize = 1000
const resultOptions = Object.entries(dayResults).map(([value, label]) => ({ value, label }))
const modes = [
  { value: 'mark', label: '标记' },
  { value: 'hours', label: '工时' },
  { value: 'times', label: '首末次' },
]

const tabs = [
  { value: 'sheet', label: '月考勤表' },
  { value: 'fixes', label: '更正审批' },
  { value: 'closing', label: '封账' },
]

/** Month sheet with corrections and closing. */
export default function MonthPage() {
  const [params, setParams] = usePageParams()
  const projectCode = useProjectCode()
  const tab = params.get('tab') ?? 'sheet'
  const month = params.get('month') ?? undefined
  // Same month as the tab, so that the number on the tab matches its list.
  const waiting = useCall(
    listFixes,
    { query: { projectCode, month: month || undefined, state: '1', size: 1 } },
    { quiet: true, keepPrevious: true, staleMs: 30_000 },
  )
  const switcher = (
    <Segmented
      value={tab}
      options={tabs.map((t) => (t.value === 'fixes' && waiting.data?.waiting ? { ...t, label: `${t.label} ${waiting.data.waiting}` } : t))}
      onChange={(next) => setParams({ tab: next === 'sheet' ? undefined : String(next) })}
    />
  )
  if (tab === 'sheet') return <MonthSheetPage switcher={switcher} />
  const shown = month ?? monthText(Date.now())
  return (
    <div className="zg-page">
      <PageTitle
        title="考勤管理"
        actions={
          <>
            {switcher}
            <div className="zg-w-112">
              <MonthInput
                aria-label="月份"
                value={tab === 'fixes' ? (month ?? null) : shown}
                onChange={(next) => setParams({ month: next })}
              />
            </div>
          </>
        }
      />
      <div className="zg-body">
        <div className="zg-column">
          {tab === 'fixes' ? (
            <FixTab projectCode={projectCode} month={month} toolbar={undefined} />
          ) : projectCode === '*' ? (
            <Empty text="请先选择一个项目" hint="封账按项目办理，在页头选择项目" />
          ) : (
            <ClosingTab key={`${projectCode}${shown}`} projectCode={projectCode} month={shown} />
          )}
        </div>
      </div>
    </div>
  )
}

function MonthSheetPage({ switcher }: { switcher: React.ReactNode }) {
  const projectCode = useProjectCode()
  const [params, setParams] = usePageParams()
  const month = params.get('month') ?? undefined
  const unit = params.get('unit') ?? ''
  const results = params.get('results') ?? ''
  const name = params.get('name') ?? ''
  const mode = (params.get('show') ?? 'mark') as SheetMode
  const page = Number(params.get('page') ?? 1)
  const [chosen, setChosen] = useState<ChosenCell>()
  /** Changing the filter closes the card, whose cell may no longer be shown. */
  const setFilter = (change: Readonly<Record<string, string | undefined>>) => {
    setChosen(undefined)
    setParams(change)
  }
  const [corpCode, teamSysNo] = unit.split('|')
  const filters = {
    projectCode,
    month: month || undefined,
    corpCode: corpCode || undefined,
    teamSysNo: teamSysNo || undefined,
    results: results || undefined,
    name: name || undefined,
  }
  const { data, error, refetch, isPending } = useCall(
    listMonthly,
    { query: { ...filters, page, size: pageSize } },
    { keepPrevious: true, quiet: true },
  )
  const tree = useUnitTree(projectCode)
  const print = usePrint('attendanceMonthly')
  const [exporting, setExporting] = useState(false)
  const download = async (annex: boolean) => {
    setExporting(true)
    try {
      saveBlob(await callBlob(exportMonthly, { query: { ...filters, annex: annex || undefined } }))
    } catch (failure) {
      showFailure(failure)
    } finally {
      setExporting(false)
    }
  }
  return (
    <div className="zg-page">
      <PageTitle
        title="月考勤表"
        actions={
          <>
            {switcher}
            <ChainCheck projectCode={projectCode} />
            {projectCode !== '*' && (
              <Can call={exportMonthly}>
                <Dropdown
                  menu={{
                    items: [
                      { key: 'A3', label: 'A3 横，每班组一页' },
                      { key: 'A4', label: 'A4 横，每班组一页' },
                    ],
                    onClick: ({ key }) =>
                      void print.run({ body: { feature: 'attendanceMonthly', exportType: 'pdf', query: { ...filters, paper: key } } }),
                  }}
                >
                  <Button icon={<PrinterOutlined />} loading={print.running}>
                    打印
                  </Button>
                </Dropdown>
              </Can>
            )}
            <Can call={exportMonthly}>
              <Dropdown
                menu={{
                  items: [
                    { key: 'sheet', label: '月考勤表' },
                    { key: 'annex', label: '月考勤表和附表（异常与更正明细）' },
                  ],
                  onClick: ({ key }) => void download(key === 'annex'),
                }}
              >
                <Button type="primary" icon={<DownloadOutlined />} loading={exporting}>
                  导出月表
                </Button>
              </Dropdown>
            </Can>
          </>
        }
      />
      <div className="zg-body">
        <Card flush className="att-sheet-page">
          <div className="att-sheet-bar">
            <div className="zg-w-112">
              <MonthInput aria-label="月份" value={data?.month ?? month ?? null} onChange={(next) => setFilter({ month: next })} />
            </div>
            <div className="zg-w-200">
              <TreeChoice
                aria-label="单位和班组"
                tree={tree}
                value={unit || null}
                placeholder="全部单位和班组"
                onChange={(next) => setFilter({ unit: next })}
              />
            </div>
            <div className="zg-w-140">
              <Choices
                aria-label="考勤结果"
                options={resultOptions}
                value={results ? results.split(',') : []}
                placeholder="全部结果"
                onChange={(next) => setFilter({ results: next?.join(',') })}
              />
            </div>
            <Input.Search
              className="zg-w-120"
              placeholder="姓名"
              aria-label="姓名"
              allowClear
              maxLength={50}
              defaultValue={name}
              onSearch={(next) => setFilter({ name: next.trim() })}
            />
            <Segmented options={modes} value={mode} onChange={(next) => setFilter({ show: next === 'mark' ? undefined : String(next) })} />
            {data && (
              <span className="right">
                {thousands(data.people)} 人，出勤 {thousands(data.attendDays)} 人天，{thousands(data.workHours.toFixed(1))} 小时
              </span>
            )}
          </div>
          <Legend />
          {error ? (
            <ErrorPanel error={error} retry={refetch} />
          ) : isPending || !data ? (
            <TableSkeleton rows={14} columns={12} />
          ) : data.list.length === 0 ? (
            <Empty hint="本月没有符合条件的在场人员">
              <Button onClick={() => setParams({ unit: undefined, results: undefined, name: undefined })}>清空筛选</Button>
            </Empty>
          ) : (
            <MonthSheet
              month={data.month}
              today={data.today}
              rows={data.list}
              perDay={data.perDay}
              attendDays={data.attendDays}
              workHours={data.workHours}
              restDates={data.restDates}
              mode={mode}
              chosen={chosen}
              onChoose={setChosen}
              card={chosen && <CellCard chosen={chosen} onClose={() => setChosen(undefined)} />}
            />
          )}
          {data && (
            <div className="att-foot">
              <span>
                统计口径：{data.minHours > 0 ? `工时不少于 ${data.minHours} 小时` : '当日有任一有效记录'}计 1 个出勤日，日切 {data.dayCut}
                {data.lateCells > 0 && (
                  <>
                    ；<b>{data.lateCells}</b> 格含离线补传，补传前的数字见日考勤导出的“日结时”两列
                  </>
                )}
              </span>
              <span className="right">
                共 {thousands(data.total)} 行
                {data.total > pageSize && (
                  <>
                    <Button disabled={page <= 1} onClick={() => setParams({ page: String(page - 1) })}>
                      上一页
                    </Button>
                    第 {page} / {Math.ceil(data.total / pageSize)} 页
                    <Button disabled={page * pageSize >= data.total} onClick={() => setParams({ page: String(page + 1) })}>
                      下一页
                    </Button>
                  </>
                )}
              </span>
            </div>
          )}
        </Card>
      </div>
    </div>
  )
}

function Legend() {
  return (
    <div className="att-legend">
      <span className="zg-2">图例</span>
      {legend.map((mark) => (
        <span key={mark.words}>
          <i className={`att-mark att-mark-${mark.look}`}>{mark.text}</i>
          {mark.words}
        </span>
      ))}
      <span>
        <i className="att-corner" /> 离线补传
      </span>
      <span>
        <i className="att-mark att-mark-corrected" /> 经审批更正
      </span>
      <span>
        <i className="att-rest-sample" /> 休息日
      </span>
      <span>– 不在场</span>
    </div>
  )
}

/** Verifies the ledger chain behind the sheet; only on demand, because it reads every entry. */
function ChainCheck({ projectCode }: { projectCode: string }) {
  const [state, setState] = useState<{ running?: boolean; ok?: boolean; words?: string; at?: string }>({})
  const run = async () => {
    setState({ running: true })
    try {
      const { ok, words, checkedAt } = await call(verifyLedger, { query: { projectCode } })
      setState({ ok, words, at: checkedAt })
    } catch (failure) {
      setState({})
      showFailure(failure)
    }
  }
  if (projectCode === '*') return null
  return (
    <Can call={verifyLedger}>
      {state.words && (
        <span className={`zg-small ${state.ok ? 'tone-fine' : 'tone-danger'}`} title={state.words}>
          {state.ok ? `考勤链已校验至 ${time(state.at)}` : state.words}
        </span>
      )}
      <Button icon={<SafetyCertificateOutlined />} loading={state.running ?? false} onClick={() => void run()}>
        校验考勤链
      </Button>
      {state.ok === false && <Notice tone="danger">账本校验不通过</Notice>}
    </Can>
  )
}

function useUnitTree(projectCode: string) {
  const { data } = useCall(dailyCounts, { query: { projectCode } }, { quiet: true, staleMs: 300_000 })
  return useMemo(
    () =>
      [...Map.groupBy(data?.units ?? [], (u) => u.corpCode)].map(([corpCode, teams]) => ({
        value: corpCode,
        label: teams[0]?.corpName ?? corpCode,
        children: teams.filter((t) => t.teamSysNo !== null).map((t) => ({ value: `${corpCode}|${t.teamSysNo}`, label: t.teamName ?? '' })),
      })),
    [data],
  )
}
