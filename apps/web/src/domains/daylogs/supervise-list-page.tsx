import { PlusOutlined } from '@ant-design/icons'
import { createOwnLog, ownLogList } from '@zhugong/contract/daylogs/own-log'
import { handleSafetyLogs, type MatrixTab, matrixTabs, safetyLogMatrix, safetyMatrixList } from '@zhugong/contract/daylogs/safety-log'
import type { MatrixRow } from '@zhugong/contract/daylogs/shapes'
import { Button, Segmented } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { LogTag, markName, markOptions, markSigns, stateOptions, supervisePaths } from './log-words.tsx'
import { MonthPicker, thisMonth } from './month-picker.tsx'
import './daylogs.css'

/** Which sites wrote today, which did not, and what did they report? */
export default function SuperviseListPage() {
  return usePageQuery().get('of') === 'own' ? <OwnLogs /> : <SiteLogs />
}

const reminds = withCode(handleSafetyLogs, 'safety-management.comment')

function Views({ own = false }: { own?: boolean }) {
  const go = useGo()
  return (
    <Segmented
      options={[
        { value: '', label: '项目日志' },
        { value: 'own', label: '本单位日志' },
      ]}
      value={own ? 'own' : ''}
      onChange={(of) => go(supervisePaths.list, of ? { of } : {})}
    />
  )
}

const NewLog = () => {
  const go = useGo()
  return (
    <Can call={createOwnLog}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => go(supervisePaths.form)}>
        新建
      </Button>
    </Can>
  )
}

function SiteLogs() {
  const scope = useProjectScope()
  const query = { ...scope, view: 'matrix' } as const
  const list = useListPage(safetyMatrixList, {
    scope,
    fixedQuery: { view: 'matrix' },
    defaultSort: '-missing',
    defaultSize: 50,
    tabs: ['standing'],
  })
  const { data } = useCall(safetyLogMatrix, { query: { ...query, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const counts = data?.counts
  const month = list.filters.month ?? data?.month ?? thisMonth()
  const urge = useAct(handleSafetyLogs, {
    success: ({ done, skipped }) => (skipped > 0 ? `已催报 ${done} 个项目，${skipped} 个不需要或今天已催报` : `已催报 ${done} 个项目`),
  })
  const remind = (rows: readonly MatrixRow[]) =>
    urge.run({
      query: { projectCode: '*' },
      body: { action: 'remind', projects: rows.map((one) => one.projectCode), day: data?.today ?? day(Date.now()) },
    })
  const columns = useColumns(month, data?.today ?? '')
  const figure = (standing: MatrixTab, tone?: 'warning' | 'danger') => ({
    label: standing === 'due' ? '应报项目' : matrixTabs[standing],
    value: thousands(counts?.[standing]),
    unit: '个',
    tone: counts?.[standing] ? tone : undefined,
    href: `${supervisePaths.list}?standing=${standing}`,
  })
  return (
    <ListShell
      actions={<NewLog />}
      strip={
        <FigureStrip
          loading={!counts}
          items={[figure('due'), figure('written'), figure('missing', 'warning'), figure('silent', 'danger')]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="projectCode"
        unit="个项目"
        search={{ key: 'projectName', placeholder: '项目名称' }}
        toolbar={
          <>
            <Views />
            <MonthPicker month={month} onMonth={(next) => list.setFilter('month', next)} />
            <span className="zg-2 log-legend">
              {markOptions.map(([mark, name]) => (
                <span key={mark}>
                  <i className={`log-mark mark-${mark}`}>{markSigns[mark]}</i> {name}
                </span>
              ))}
            </span>
          </>
        }
        filterWords={{ standing: { title: '今日', words: matrixTabs }, month: { title: '月份', words: { [month]: month } } }}
        selection={{
          actions: (rows) => (
            <Can call={reminds}>
              <Button size="small" loading={urge.running} onClick={() => void remind(rows)}>
                催报
              </Button>
            </Can>
          ),
        }}
        emptyHint="开工后的项目列在这里；停工与开工前不要求填写"
        actions={(row) => [
          (row.marks.includes('m') || row.marks.includes('t')) && { label: '催报', onClick: () => remind([row]), needs: reminds },
        ]}
      />
    </ListShell>
  )
}

function useColumns(month: string, today: string): ColumnOf<typeof safetyMatrixList>[] {
  return [
    {
      key: 'projectName',
      width: 200,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <>
          {r.projectName} {r.urgedAt && <Tag tone="warning">今日已催报</Tag>}
        </>
      ),
    },
    { key: 'areaName', width: 110, weak: true, filter: 'area-cascader', filterKey: 'areaCode', value: (r) => r.areaName },
    { key: 'marks', width: 680, keeps: true, value: (r) => <Marks row={r} month={month} today={today} /> },
    { key: 'due', width: 70, align: 'right', value: (r) => r.due },
    { key: 'written', width: 70, align: 'right', value: (r) => r.written },
    { key: 'late', width: 84, align: 'right', weak: true, value: (r) => r.late || null },
    {
      key: 'missing',
      width: 70,
      align: 'right',
      keeps: true,
      sort: true,
      value: (r) => <span className={r.missing > 0 ? 'tone-danger' : undefined}>{r.missing}</span>,
    },
    { key: 'stopped', width: 84, align: 'right', weak: true, value: (r) => r.stopped || null },
  ]
}

/** The days of the month; a written one opens its log. */
function Marks({ row, month, today }: { row: MatrixRow; month: string; today: string }) {
  return (
    <span className="log-marks">
      {[...row.marks].map((mark, i) => {
        const number = String(i + 1).padStart(2, '0')
        const date = `${month}-${number}`
        const look = `log-mark mark-${mark === '-' ? 'none' : mark} ${date === today ? 'today' : ''}`
        const title = `${number} 日 ${markName(mark)}`
        return mark === 'w' || mark === 'l' ? (
          <Link
            key={date}
            className={look}
            title={title}
            aria-label={`${row.projectName} ${title}`}
            to={hrefOf(supervisePaths.detail, { project: row.projectCode, day: date })}
          >
            {markSigns[mark]}
          </Link>
        ) : (
          <span key={date} className={look} title={title}>
            {markSigns[mark] || <span className="zg-heard">不要求</span>}
          </span>
        )
      })}
    </span>
  )
}

const ownTabs = [
  { value: '', label: '全部' },
  { value: 'mine', label: '我写的' },
  { value: 'unanswered', label: '未回复批阅' },
  { value: 'draft', label: '草稿' },
]

function OwnLogs() {
  const go = useGo()
  const projectCode = useProjectCode()
  const list = useListPage(ownLogList, { scope: { projectCode: '*' }, defaultSort: '-day', tabs: ['tab'], own: ['of'] })
  const columns: ColumnOf<typeof ownLogList>[] = [
    { key: 'day', width: 110, locked: true, sort: true, filter: 'date-range', value: (r) => <span className="zg-num">{r.day}</span> },
    { key: 'recorder', width: 100, sort: true, filter: 'text', value: (r) => r.recorder },
    { key: 'projects', width: 260, value: (r) => r.visited.map((one) => one.name).join('、') },
    { key: 'parts', width: 300, filter: 'text', value: (r) => r.parts },
    { key: 'problemCount', width: 70, align: 'right', value: (r) => r.problemCount || null },
    {
      key: 'commentCount',
      width: 110,
      value: (r) => (r.openComments > 0 ? <Tag tone="warning">{r.openComments} 条未回复</Tag> : r.commentCount || null),
    },
    { key: 'submittedAt', width: 140, weak: true, value: (r) => r.submittedAt?.slice(0, 16) },
    { key: 'state', width: 130, keeps: true, filter: 'multi', options: stateOptions, value: (r) => <LogTag row={r} /> },
  ]
  return (
    <ListShell actions={<NewLog />} remark={projectCode === '*' ? undefined : '本单位日志不分项目'}>
      <DataTable
        list={list}
        columns={columns}
        unit="篇"
        search={{ key: 'parts', placeholder: '检查部位与内容' }}
        toolbar={
          <>
            <Views own />
            <Segmented options={ownTabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
          </>
        }
        onRow={(row) => go(supervisePaths.detail, { id: row.id })}
        emptyHint="每人每天一篇：从“新建”开始"
        actions={(row) => [{ label: '查看', href: hrefOf(supervisePaths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}
