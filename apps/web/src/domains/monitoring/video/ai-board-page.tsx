import { mostTargets } from '@zhugong/contract/alarms/notices'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { findAiGroups } from '@zhugong/contract/monitoring/video/ai-events'
import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, FigureStrip, TableSkeleton } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { ChartCard } from '../family-analysis.tsx'
import '../family.css'
import { useFamilyScope } from '../family-scope.tsx'
import { typeName } from './ai-words.tsx'
import './video.css'

type Group = OutputFor<typeof findAiGroups>['list'][number]

interface Site {
  projectCode: string
  projectName: string
  cameras: number
  hits: number
  real: number
  wrong: number
  open: number
  /** Confirmed in the preceding period. */
  realBefore: number
  /** Number of types confirmed more than twice. */
  repeats: number
}
const repeatFrom = 3

const trends = { up: '↑', down: '↓', same: '→', unknown: '' } as const
/** Trend against the preceding period; unknown if the site had nothing confirmed in it, for example with new cameras. @public */
export function trendOf(cell: Pick<Group, 'real' | 'realBefore'>, site: Pick<Site, 'realBefore'>): keyof typeof trends {
  if (site.realBefore === 0) return 'unknown'
  return cell.real > cell.realBefore ? 'up' : cell.real < cell.realBefore ? 'down' : 'same'
}

/** Sites by confirmed events per camera, so that sites with many cameras are comparable to small ones. @public */
export function sitesOf(groups: readonly Group[]): Site[] {
  const sum = (own: readonly Group[], of: (one: Group) => number) => own.reduce((all, one) => all + of(one), 0)
  return [...Map.groupBy(groups, (one) => one.projectCode)]
    .map(([projectCode, own]) => ({
      projectCode,
      projectName: own[0]?.projectName ?? projectCode,
      cameras: own[0]?.cameras ?? 0,
      hits: sum(own, (one) => one.hits),
      real: sum(own, (one) => one.real),
      wrong: sum(own, (one) => one.wrong),
      open: sum(own, (one) => one.open),
      realBefore: sum(own, (one) => one.realBefore),
      repeats: own.filter((one) => one.real >= repeatFrom).length,
    }))
    .sort((a, b) => b.real / Math.max(1, b.cameras) - a.real / Math.max(1, a.cameras))
}

/** Start of a notice's subject, by which the row finds its newest notice. */
const unreviewed = 'AI 识别未复核'
const answerHours = 48

/** A notice to each site about its unreviewed events, highest count first. @public */
export function noticeOf(sites: readonly Pick<Site, 'projectCode' | 'open'>[], days: string) {
  const open = sites.filter((one) => one.open > 0).sort((a, b) => b.open - a.open)
  return {
    kind: 'supervise' as const,
    hours: answerHours,
    targets: open
      .slice(0, mostTargets)
      .map((one) => ({ projectCode: one.projectCode, subject: `${unreviewed} ${one.open} 条（${days}）` })),
    text: `${days}仍有 AI 识别未复核。请安排安全员逐条判断属实或误报，属实的落实整改，并说明未及时复核的原因。`,
  }
}

const percent = (part: number, whole: number) => (whole === 0 ? '--' : `${((part / whole) * 100).toFixed(0)} %`)

/** Which sites repeat which violation, and is their AI reliable? */
export default function AiBoardPage() {
  const scope = useFamilyScope({ family: 'videoAi', usual: '30' })
  const go = useGo()
  const { deviceId: _device, ...asked } = scope.query
  const groups = useCall(findAiGroups, { query: { ...asked, groupBy: 'project,type', size: 1000 } }, { quiet: true, keepPrevious: true })
  const list = groups.data?.list ?? []
  const sites = useMemo(() => sitesOf(groups.data?.list ?? []), [groups.data])
  const types = useMemo(() => [...new Set(list.map((one) => one.type))].sort((a, b) => sumOf(list, b) - sumOf(list, a)), [list])
  const days = Math.max(1, (scope.period.to - scope.period.from) / dayMs)
  const counts = groups.data?.counts
  const silent = sites.filter((one) => one.hits > 0 && one.real + one.wrong === 0)
  const waiting = sites.filter((one) => one.open > 0)
  const notices = useNotices(scope.projectCode)
  const notice = useNoticeForm()
  const ask = (requested: readonly Site[]) => notice.send(noticeOf(requested, scope.words))
  return (
    <PageShell>
      <div className="fam-analysis">
        <div className="zg-card fam-bar">
          <Segmented
            aria-label="时间"
            value={scope.period.text}
            options={[
              { value: '7', label: '近 7 天' },
              { value: '30', label: '近 30 天' },
              { value: '90', label: '近 90 天' },
            ]}
            onChange={(value) => scope.put({ period: String(value) })}
          />
        </div>
        <FigureStrip
          loading={!groups.data}
          items={[
            { label: '识别', value: counts?.total, unit: '条', remark: scope.words },
            { label: '复核率', value: counts && percent(counts.real + counts.wrong, counts.total), remark: '已复核 ÷ 全部' },
            { label: '属实率', value: counts && percent(counts.real, counts.real + counts.wrong), remark: '属实 ÷ 已复核' },
            {
              label: '从不复核',
              value: silent.length,
              unit: '个项目',
              tone: silent.length > 0 ? 'warning' : undefined,
              remark: silent.map((one) => one.projectName).join('、'),
            },
          ]}
        />
        {groups.error && !groups.data ? (
          <Card>
            <ErrorPanel error={groups.error} retry={groups.refetch} />
          </Card>
        ) : groups.isPending ? (
          <TableSkeleton />
        ) : sites.length === 0 ? (
          <Card>
            <Empty text="这段时间没有识别" hint="换一个更长的时段" />
          </Card>
        ) : (
          <>
            <Card title="项目与违章类型" remark="每路摄像机每天的属实次数；箭头为较上一时段，上一时段没有属实的不比。未复核不计入">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keys */}
              <div className="fam-scroll" tabIndex={0}>
                <table className="fam-table vid-matrix">
                  <thead>
                    <tr>
                      <th scope="col">项目</th>
                      {types.map((type) => (
                        <th key={type} scope="col">
                          {typeName(type)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {sites.map((site) => (
                      <tr key={site.projectCode}>
                        <td>{site.projectName}</td>
                        {types.map((type) => {
                          const cell = list.find((one) => one.projectCode === site.projectCode && one.type === type)
                          if (!cell || cell.hits + cell.realBefore === 0) return <td key={type}>—</td>
                          const trend = trendOf(cell, site)
                          return (
                            <td key={type} data-trend={trend}>
                              <button
                                type="button"
                                className="zg-bare"
                                title={`${site.projectName} ${typeName(type)}：属实 ${cell.real}，误报 ${cell.wrong}，未复核 ${cell.open}；上一时段属实 ${cell.realBefore}`}
                                onClick={() => go('/AI', { type, period: scope.period.text })}
                              >
                                {(cell.real / Math.max(1, site.cameras) / days).toFixed(2)} {trends[trend]}
                              </button>
                            </td>
                          )
                        })}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </Card>
            <div className="fam-charts">
              <ChartCard
                wide
                title="各类型属实与误报"
                definition="已复核的识别，按类型"
                label={types.map((type) => `${typeName(type)} ${sumOf(list, type)} 条`).join('，')}
                option={columnsOption({
                  names: types.map(typeName),
                  unit: '条',
                  series: [
                    { name: '属实', stack: 'a', values: types.map((type) => sumOf(list, type)), color: colors.danger },
                    {
                      name: '误报',
                      stack: 'a',
                      values: types.map((type) => list.filter((one) => one.type === type).reduce((all, one) => all + one.wrong, 0)),
                      color: colors.border,
                    },
                  ],
                })}
                table={{
                  head: ['类型', '识别', '属实', '误报', '未复核'],
                  rows: types.map((type) => {
                    const own = list.filter((one) => one.type === type)
                    const sum = (of: (one: Group) => number) => own.reduce((all, one) => all + of(one), 0)
                    return [typeName(type), sum((one) => one.hits), sum((one) => one.real), sum((one) => one.wrong), sum((one) => one.open)]
                  }),
                }}
              />
            </div>
            <Card
              title="项目"
              remark="属实次数按每路摄像机排列"
              actions={
                notice.may && (
                  <Button size="small" disabled={waiting.length === 0} onClick={() => ask(waiting)}>
                    督办未复核的 {Math.min(waiting.length, mostTargets)} 个项目
                  </Button>
                )
              }
            >
              <table className="fam-table">
                <thead>
                  <tr>
                    {['项目', '摄像机', '识别', '属实率', '复核率', '未复核', '同类反复', ...(notice.may ? ['督办'] : [])].map((one) => (
                      <th key={one} scope="col">
                        {one}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {sites.map((one) => (
                    <tr key={one.projectCode}>
                      <td>
                        <Link to={hrefOf('/AI', { period: scope.period.text })}>{one.projectName}</Link>{' '}
                        <NoticeMark notice={notices({ projectCode: one.projectCode, says: unreviewed })} />
                      </td>
                      <td>{one.cameras}</td>
                      <td>{one.hits}</td>
                      <td>{percent(one.real, one.real + one.wrong)}</td>
                      <td className={one.real + one.wrong === 0 ? 'tone-warning' : ''}>{percent(one.real + one.wrong, one.hits)}</td>
                      <td>{one.open}</td>
                      <td>{one.repeats} 类</td>
                      {notice.may && (
                        <td>
                          <button
                            type="button"
                            className="zg-bare zg-link"
                            disabled={one.open === 0}
                            aria-label={`督办 ${one.projectName}`}
                            onClick={() => ask([one])}
                          >
                            督办
                          </button>
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Card>
          </>
        )}
      </div>
      {notice.form}
    </PageShell>
  )
}

const sumOf = (list: readonly Group[], type: string): number =>
  list.filter((one) => one.type === type).reduce((all, one) => all + one.real, 0)
