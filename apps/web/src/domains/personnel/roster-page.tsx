import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { exportCodes } from '@zhugong/contract/exports/codes'
import { teamTree } from '@zhugong/contract/labour/units'
import { actualProject } from '@zhugong/contract/organisation/projects'
import { rosterList } from '@zhugong/contract/personnel/people'
import type { RosterRow } from '@zhugong/contract/personnel/people-rows'
import { Button, Checkbox, Pagination, Popover, Segmented } from 'antd'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCanAll } from '#kit/can.tsx'
import { Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { DayInput, TreeChoice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { prefNow, writePref } from '#kit/prefs.ts'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { printPaper } from './print-paper.ts'
import paperStyle from './roster-paper.css?raw'
import { genderWord } from './words.tsx'
import './personnel.css'

const ExportDialog = lazy(() => import('#kit/export.tsx').then((file) => ({ default: file.ExportDialog })))

/** Rows per request; more than the largest team, further rows are read page by page. */
const linesPerRead = 1000

interface Line {
  key: keyof (typeof rosterList)['columns']
  width: string
  value: (r: RosterRow) => string | number | null
  always?: boolean
}
const lines: readonly Line[] = [
  { key: 'name', width: '62px', value: (r) => (r.isTeamLeader ? `${r.name}（班长）` : r.name), always: true },
  { key: 'gender', width: '32px', value: (r) => genderWord(r.gender), always: true },
  { key: 'age', width: '32px', value: (r) => r.age, always: true },
  { key: 'idCardNumber', width: '138px', value: (r) => r.idCardNumber, always: true },
  { key: 'address', width: '110px', value: (r) => r.address },
  { key: 'workName', width: '76px', value: (r) => r.workName, always: true },
  { key: 'skillLevelName', width: '82px', value: (r) => r.skillLevelName },
  { key: 'entryDate', width: '76px', value: (r) => r.entryDate, always: true },
  { key: 'exitDate', width: '76px', value: (r) => r.exitDate },
  { key: 'contractCode', width: '104px', value: (r) => r.contractCode },
  { key: 'payCard', width: '118px', value: (r) => r.payCard },
  { key: 'cellPhone', width: '88px', value: (r) => r.cellPhone },
  { key: 'urgentLinkMan', width: '66px', value: (r) => r.urgentLinkMan },
]

/** Paper roster of a chosen day, as evidence. */
export default function RosterPage() {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="花名册按项目出具" />
  return <Roster projectCode={projectCode} />
}

function Roster({ projectCode }: { projectCode: string }) {
  const today = day(Date.now())
  const [asOf, setAsOf] = useState(today)
  const [range, setRange] = useState<'present' | 'month'>('present')
  const [place, setPlace] = useState<string>()
  const [page, setPage] = useState(1)
  const pref = `roster:${projectCode}`
  const [shown, setShown] = useState<readonly string[]>(
    () =>
      prefNow<string[]>(pref) ?? lines.filter((l) => l.always || ['address', 'contractCode', 'payCard'].includes(l.key)).map((l) => l.key),
  )
  const [exporting, setExporting] = useState(false)
  const may = useCanAll()
  const mayExport = exportCodes('workerRoster')?.every((code) => may(code))
  const paper = useRef<HTMLDivElement>(null)
  const compiler = useMe((me) => me.info?.name ?? '')
  const project = useCall(actualProject, { query: { projectCode } }, { quiet: true })
  const tree = useCall(teamTree, { query: { projectCode } }, { quiet: true })
  const query = {
    view: 'roster' as const,
    projectCode,
    asOf,
    range,
    teamId: place?.startsWith('t:') ? place.slice(2) : undefined,
    corpCode: place?.startsWith('c:') ? place.slice(2) : undefined,
  }
  const read = useCall(
    rosterList.call,
    { query: { ...query, page, size: linesPerRead } },
    { quiet: true, keepPrevious: true, staleMs: 30_000 },
  )
  const columns = lines.filter((l) => l.always || shown.includes(l.key))
  const teams = useMemo(() => [...Map.groupBy(read.data?.list ?? [], (r) => `${r.corpCode}/${r.teamId ?? ''}`).entries()], [read.data])
  // The managers of a unit have their own sheet, but are not a team.
  const named = teams.filter(([, rows]) => rows[0]?.teamId).length
  const choose = (key: string, on: boolean) => {
    const next = on ? [...shown, key] : shown.filter((k) => k !== key)
    setShown(next)
    void writePref(pref, next)
  }
  const p = project.data
  const total = read.data?.total
  return (
    <PageShell
      remark="由进退场记录生成，同一日期任何时候出具都相同"
      actions={
        <>
          <Button
            icon={<DownloadOutlined />}
            disabled={!mayExport}
            title={mayExport ? undefined : '您没有导出花名册的权限，可向本组管理员申请'}
            onClick={() => setExporting(true)}
          >
            导出 Excel
          </Button>
          <Button
            icon={<PrinterOutlined />}
            disabled={!total}
            title={total ? undefined : '当日没有在场人员，没有可打印的内容'}
            onClick={() => paper.current && printPaper(paper.current, paperStyle, 'A4 landscape')}
          >
            打印 A4 横
          </Button>
          <Button
            type="primary"
            icon={<PrinterOutlined />}
            disabled={!total}
            title={total ? undefined : '当日没有在场人员，没有可打印的内容'}
            onClick={() => paper.current && printPaper(paper.current, paperStyle, 'A3 landscape')}
          >
            打印 A3 横
          </Button>
        </>
      }
    >
      <div className="zg-card per-roster-bar">
        <label htmlFor="roster-day">
          截至日期
          <span className="zg-w-140">
            <DayInput
              id="roster-day"
              value={asOf}
              max={today}
              onChange={(next) => {
                setAsOf(next ?? today)
                setPage(1)
              }}
            />
          </span>
        </label>
        <label htmlFor="roster-place">
          单位或班组
          <span className="zg-w-240">
            <TreeChoice
              id="roster-place"
              placeholder="全部"
              value={place ?? null}
              tree={(tree.data ?? []).map((c) => ({
                value: `c:${c.id}`,
                label: c.name,
                children: c.children?.map((t) => ({ value: `t:${t.id}`, label: t.name })),
              }))}
              onChange={(next) => {
                setPlace(next)
                setPage(1)
              }}
            />
          </span>
        </label>
        <Segmented
          value={range}
          options={[
            { value: 'present', label: '当日在场' },
            { value: 'month', label: '含当月退场' },
          ]}
          onChange={(next) => {
            setRange(next === 'month' ? 'month' : 'present')
            setPage(1)
          }}
        />
        <Popover
          trigger="click"
          placement="bottom"
          title="花名册的列，本项目通用"
          content={
            <div className="zg-stack zg-gap-6">
              {lines
                .filter((l) => !l.always)
                .map((l) => (
                  <Checkbox key={l.key} checked={shown.includes(l.key)} onChange={(event) => choose(l.key, event.target.checked)}>
                    {rosterList.columns[l.key]}
                  </Checkbox>
                ))}
            </div>
          }
        >
          <Button>选择列</Button>
        </Popover>
        <span className="zg-2 zg-end">
          {total !== undefined && `${thousands(total)} 人，${named} 个班组${total > linesPerRead ? `，本次 ${linesPerRead} 人` : ''}`}
        </span>
        {total !== undefined && total > linesPerRead && (
          <Pagination simple current={page} pageSize={linesPerRead} total={total} onChange={setPage} />
        )}
      </div>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : read.isPending ? (
        <TableSkeleton rows={12} columns={9} />
      ) : total === 0 ? (
        <Empty text={`${asOf} 没有在场人员`} hint="换一个日期，或选“含当月退场”" />
      ) : (
        <div className="per-sheets">
          <style>{paperStyle}</style>
          <div ref={paper}>
            {teams.map(([key, rows], index) => (
              <TeamSheet
                key={key}
                rows={rows}
                columns={columns}
                project={p?.name ?? projectCode}
                contractor={p?.contractorCorpName ?? '--'}
                asOf={asOf}
                sheet={`${index + 1} / ${teams.length}`}
                compiler={compiler}
              />
            ))}
          </div>
        </div>
      )}
      {exporting && (
        <Suspense>
          <ExportDialog
            feature="workerRoster"
            title="人员花名册"
            query={query}
            columns={['corpName', 'teamName', ...columns.map((c) => c.key), 'sign']}
            total={total ?? 0}
            sensitive
            onClose={() => setExporting(false)}
          />
        </Suspense>
      )}
    </PageShell>
  )
}

/** One sheet per team; its head repeats on every printed page. */
function TeamSheet({
  rows,
  columns,
  project,
  contractor,
  asOf,
  sheet,
  compiler,
}: {
  rows: readonly RosterRow[]
  columns: readonly Line[]
  project: string
  contractor: string
  asOf: string
  sheet: string
  compiler: string
}) {
  const first = rows[0]
  return (
    <section className="paper-sheet">
      <table>
        {/* With a fixed layout the first row decides the column widths, and the first row spans all columns. */}
        <colgroup>
          <col className="number" />
          {columns.map((c) => (
            <col key={c.key} style={{ width: c.width }} />
          ))}
          <col className="sign" />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={columns.length + 2} className="paper-head">
              <div className="paper-title">施工现场人员花名册</div>
              <div className="paper-facts">
                <span>项目：{project}</span>
                <span>总承包：{contractor}</span>
                <span>单位：{first?.corpName ?? '--'}</span>
                <span>班组：{first?.teamName ?? '项目管理部'}</span>
                <span>截至：{asOf}</span>
                <span>
                  {rows.length} 人，第 {sheet} 册
                </span>
              </div>
            </th>
          </tr>
          <tr className="paper-columns">
            <th>序号</th>
            {columns.map((c) => (
              <th key={c.key}>{rosterList.columns[c.key]}</th>
            ))}
            <th>{rosterList.columns.sign}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r, i) => (
            <tr key={r.id}>
              <td className="paper-number">{i + 1}</td>
              {columns.map((c) => (
                <td key={c.key}>{c.value(r) ?? ''}</td>
              ))}
              <td />
            </tr>
          ))}
        </tbody>
      </table>
      <div className="paper-foot">
        <span>编制：{compiler}</span>
        <span>审核：</span>
        <span>项目负责人：</span>
        <span>日期：</span>
      </div>
    </section>
  )
}
