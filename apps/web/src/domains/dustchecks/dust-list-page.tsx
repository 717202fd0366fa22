import { CameraOutlined } from '@ant-design/icons'
import { createDustCheck, type DustRow, dustList, dustNow, listDustChecks } from '@zhugong/contract/dustchecks/calls'
import { coreItems, noResponse, yellowResponse } from '@zhugong/contract/dustchecks/items'
import { dayMs } from '@zhugong/contract/kit/time'
import { changeRectify, listRectify } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { call, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { Card, Empty, FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { itemWords, paths, ResponseNotice, StateTag } from './dust-words.tsx'
import './dust.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'own', label: '我检查的' },
  { value: 'open', label: '未闭合' },
]

/** Are the six hundreds kept, and do the sensors agree? */
export default function DustListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(dustList, { scope, defaultSort: '-checkTime', tabs: ['tab'] })
  const { data } = useCall(listDustChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const now = useCall(dustNow, { query: scope }, { quiet: true, enabled: oneProject })
  const dicts = useDicts('dustResponseLevel')
  const [looks, setLooks] = useState<'table' | 'matrix'>('table')
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  const counts = data?.counts
  const evidence = now.data?.evidence
  const level = now.data?.responseLevel ?? null
  const toolbar = (
    <>
      <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
      <Segmented
        options={[
          { value: 'table', label: '列表' },
          { value: 'matrix', label: '30 天矩阵' },
        ]}
        value={looks}
        onChange={(next) => setLooks(next as 'table' | 'matrix')}
      />
    </>
  )
  return (
    <ListShell
      actions={
        <Can call={createDustCheck}>
          <Button type="primary" icon={<CameraOutlined />} onClick={() => go(paths.edit)}>
            新增检查
          </Button>
        </Can>
      }
      above={oneProject && <ResponseNotice level={level} name={dicts.name('dustResponseLevel', level)} evidence={evidence} />}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '近 30 天达标率',
              value: counts?.passRate === null ? '--' : String(counts?.passRate ?? ''),
              unit: '%',
              remark: evidence ? `PM10 现值 ${evidence.pm10 ?? '无数据'}，小时均 ${evidence.pm10Hour ?? '无数据'}` : undefined,
            },
            { label: '未闭合', value: thousands(counts?.open), unit: '次', href: `${paths.list}?tab=open` },
            {
              label: '今日检查',
              value: thousands(counts?.today),
              unit: '次',
              href: `${paths.list}?today=true`,
              remark: evidence?.washedRate !== null && evidence ? `今日冲洗率 ${evidence.washedRate}%` : undefined,
            },
            {
              label: '与监测矛盾',
              value: thousands(counts?.contradicted),
              unit: '次',
              tone: counts?.contradicted ? 'warning' : undefined,
              href: `${paths.list}?contradicted=true`,
              remark: '全部符合，同时有扬尘告警',
            },
          ]}
        />
      }
    >
      {looks === 'matrix' ? (
        <Matrix scope={scope} toolbar={toolbar} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="次"
          search={{ key: 'checkers', placeholder: '检查人' }}
          toolbar={toolbar}
          onRow={(row) => go(...pageOf(row))}
          emptyHint="还没有扬尘检查：从“新增检查”开始，六个百分百逐项拍照"
          filterWords={{
            today: { title: '检查时间', words: { true: '今天' } },
            contradicted: { title: '监测', words: { true: '与告警矛盾' } },
          }}
          selection={{ unit: '次', actions: (rows, clear) => <Urge rows={rows} clear={clear} /> }}
          actions={(row) => [{ label: row.state === draft ? '继续填写' : '查看', href: hrefOf(...pageOf(row)) }]}
        />
      )}
    </ListShell>
  )
}

const draft = '0'
const pageOf = ({ id, state }: DustRow): [string, { id: string }] => [state === draft ? paths.edit : paths.detail, { id }]

/** States in which the responsible side has to act. */
const urgeable: readonly string[] = ['1', '2', '3', '6']

/** Urges what the notices of the selected checks wait for. */
function Urge({ rows, clear }: { rows: readonly DustRow[]; clear: () => void }) {
  const mayUrge = useCan(['inspection.rectifyIssue', 'supervision.rectifyIssue'])
  const each = useEach('份', clear)
  const waiting = rows.filter((row) => urgeable.includes(row.state))
  if (!mayUrge) return null
  const urge = async () => {
    const notices = await Promise.all(
      waiting.map(async (row) => {
        const { list } = await call(listRectify, { query: { sourceKind: 'dust', sourceId: row.id, size: 20 } })
        return list.filter((one) => urgeable.includes(one.state))
      }),
    )
    await each.run(notices.flat(), '催办', (one) => call(changeRectify, { body: { id: one.id, version: one.version, action: 'urge' } }))
  }
  return (
    <Button disabled={waiting.length === 0} loading={each.running} onClick={() => void urge()}>
      催办（{waiting.length}）
    </Button>
  )
}

const shownDays = 30
const mostChecks = 300

/** The last 30 days by the six core items; the worst check of a day counts. */
function Matrix({ scope, toolbar }: { scope: { projectCode: string }; toolbar: ReactNode }) {
  const days = Array.from({ length: shownDays }, (_, i) => day(Date.now() - (shownDays - 1 - i) * dayMs))
  const { data } = useCall(
    listDustChecks,
    { query: { ...scope, checkTime: `${days[0]},${days.at(-1)}`, size: mostChecks } },
    { quiet: true },
  )
  const checks = (data?.list ?? []).filter((one) => one.state !== draft)
  const byDay = Map.groupBy(checks, (one) => one.checkTime.slice(0, 10))
  const cellOf = (date: string, code: string) => {
    const all = byDay.get(date) ?? []
    return (
      all.find((one) => one.results[code] === itemResults.wrong) ?? all.find((one) => one.results[code] === itemResults.right) ?? all[0]
    )
  }
  return (
    <Card className="dust-board">
      <div className="zg-row zg-middle zg-gap-8 zg-wrap">
        {toolbar}
        <span className="zg-2">✓ 符合　✗ 不符合　– 不涉及　空白未检查</span>
      </div>
      {checks.length === 0 ? (
        <Empty text="近 30 天没有扬尘检查" hint="从“新增检查”开始" />
      ) : (
        <div className="dust-scroll">
          <table className="dust-matrix">
            <thead>
              <tr>
                <th>检查项</th>
                {days.map((one) => (
                  <th key={one}>{one.slice(8)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {coreItems.map(({ code, short }) => (
                <tr key={code}>
                  <th scope="row">{short}</th>
                  {days.map((date) => {
                    const found = cellOf(date, code)
                    const result = found?.results[code]
                    return (
                      <td key={date} data-result={result}>
                        {found && result && (
                          <Link to={hrefOf(paths.detail, { id: found.id })} aria-label={`${date} ${short} ${itemWords[result] ?? ''}`}>
                            {result === itemResults.right ? '✓' : result === itemResults.wrong ? '✗' : '–'}
                          </Link>
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function useColumns(): ColumnOf<typeof dustList>[] {
  const dicts = useDicts('dustCheckItem', 'dustResponseLevel', 'weather', 'checkResult', 'rectifyState')
  return [
    { key: 'code', width: 170, locked: true, value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    { key: 'state', width: 130, keeps: true, filter: 'multi', options: dicts.options('rectifyState'), value: (r) => <StateTag row={r} /> },
    {
      key: 'passRate',
      width: 150,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (
        <>
          {r.contradicted && <Tag tone="warning">同时有告警</Tag>} {r.passRate === null ? '' : `${r.passRate}%`}
        </>
      ),
    },
    {
      key: 'failItems',
      width: 200,
      filter: 'multi',
      options: dicts.options('dustCheckItem'),
      value: (r) => r.failItems.join('、') || <span className="zg-2">无</span>,
    },
    { key: 'pm10', width: 100, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.pm10 },
    { key: 'weather', width: 90, filter: 'multi', options: dicts.options('weather'), value: (r) => r.weatherName },
    {
      key: 'responseLevel',
      width: 110,
      filter: 'multi',
      options: dicts.options('dustResponseLevel'),
      value: (r) =>
        r.responseLevel && r.responseLevel !== noResponse ? (
          <Tag tone={r.responseLevel === yellowResponse ? 'warning' : 'danger'}>{r.responseLevelName}</Tag>
        ) : (
          <span className="zg-2">无</span>
        ),
    },
    { key: 'result', width: 150, filter: 'multi', options: dicts.options('checkResult'), value: (r) => r.resultName },
    {
      key: 'deadline',
      width: 150,
      sort: true,
      value: (r) =>
        r.deadline && (
          <span className={r.overdueDays ? 'tone-danger' : ''}>
            {r.deadline}
            {r.overdueDays > 0 && ` 逾期 ${r.overdueDays} 天`}
          </span>
        ),
    },
    { key: 'checkers', width: 100, weak: true, filter: 'text', value: (r) => r.checkers.join('、') },
  ]
}
