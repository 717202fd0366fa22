import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { fetchSuperviseNo, progressByArea, projectOverview, safetyCheckInfo } from '@zhugong/contract/organisation/project-views'
import { Button, Progress } from 'antd'
import { useMemo } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { FenceCard } from './fence-drawer.tsx'
import { stateTones } from './project-words.ts'
import './organisation.css'

type Info = OutputFor<typeof safetyCheckInfo>
type Overview = OutputFor<typeof projectOverview>

/** Briefing on a project before a visit: people, devices, alarms, key posts, missing facts. */
export function BriefDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const info = useCall(safetyCheckInfo, { params: { id: projectCode } }, { quiet: true })
  const over = useCall(projectOverview, { query: { projectCode } }, { quiet: true })
  const error = info.error ?? over.error
  return (
    <PageDrawer open size={760} title={info.data?.name ?? '项目概况'} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} retry={() => void Promise.all([info.refetch(), over.refetch()])} />
      ) : info.data && over.data ? (
        <Brief info={info.data} over={over.data} />
      ) : (
        <DetailSkeleton />
      )}
    </PageDrawer>
  )
}

function Brief({ info, over }: { info: Info; over: Overview }) {
  const vacant = info.keyPosts.filter((post) => post.holders.length === 0)
  return (
    <div className="org-brief">
      <FigureStrip
        items={[
          { label: '在册', value: over.onSite, unit: '人', remark: `${over.units} 家单位 ${over.teams} 个班组` },
          { label: '设备', value: over.machines, unit: '台' },
          { label: '待处理告警', value: over.openAlarms, unit: '条', tone: over.openAlarms ? 'danger' : undefined },
          {
            label: '关键岗位',
            value: `${over.keyPostsHeld}/${over.keyPosts}`,
            remark: vacant.length > 0 ? `空缺 ${vacant.length} 个` : '全部到位',
            tone: vacant.length > 0 ? 'warning' : undefined,
          },
        ]}
      />
      {info.missing.length > 0 && <Notice tone="warning">资料还缺：{info.missing.join('、')}</Notice>}
      <Card title="登记" actions={!info.superviseNo && <FetchNo projectCode={info.projectCode} />}>
        <Pairs
          items={[
            {
              label: '状态',
              value: (
                <Tag tone={stateTones[info.prjStatus] ?? 'neutral'} icon={false}>
                  {info.prjStatusName}
                </Tag>
              ),
            },
            { label: '形象进度', value: info.phaseName },
            { label: '监督登记号', value: info.superviseNo ?? <span className="tone-warning">未登记</span> },
            { label: '监督机构', value: info.superviseOrgName },
            { label: '总承包单位', value: info.contractorCorpName },
            { label: '工期', value: <Period over={over} /> },
          ]}
        />
      </Card>
      <div className="org-brief-pair">
        <Card title="关键岗位" remark="按现在岗登记，缺勤看考勤">
          <KeyPosts posts={info.keyPosts} />
        </Card>
        <div className="org-brief">
          <Card title="告警" remark="待处理">
            {info.alarms.length === 0 ? (
              <Empty small text="没有待处理的告警" />
            ) : (
              <ul className="org-brief-list">
                {info.alarms.map(({ level, count }) => (
                  <li key={level}>
                    <RiskBadge level={level} /> <b>{count}</b> 条
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Card title="状态变更">
            <ul className="org-brief-list">
              {info.states.map((s) => (
                <li key={`${s.at}${s.toState}`}>
                  <Tag tone={stateTones[s.toState] ?? 'neutral'} icon={false}>
                    {s.toStateName}
                  </Tag>
                  <span className="zg-2">{s.at}</span> {s.reason}
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
      <FenceCard projectCode={info.projectCode} />
    </div>
  )
}

function Period({ over }: { over: Overview }) {
  if (over.daysGone === null) return '未开工'
  if (over.daysPlanned === null) return `已开工 ${over.daysGone} 天，计划工期未登记`
  const share = over.daysPlanned > 0 ? over.daysGone / over.daysPlanned : 0
  return (
    <div className="org-brief-period">
      <Progress
        percent={Math.min(100, Math.round(share * 100))}
        size="small"
        status={share > 1 ? 'exception' : 'normal'}
        showInfo={false}
        aria-label="工期进度"
      />
      {over.daysGone} / {over.daysPlanned} 天
      {share > 1 && <span className="tone-danger">，超期 {over.daysGone - over.daysPlanned} 天</span>}
    </div>
  )
}

/** Assigns the next supervision number of the year; only the authority may. */
function FetchNo({ projectCode }: { projectCode: string }) {
  const act = useAct(fetchSuperviseNo, { success: ({ superviseNo }) => `监督登记号 ${superviseNo}` })
  return (
    <Can call={fetchSuperviseNo}>
      <Button loading={act.running} onClick={() => void act.run({ body: { projectCode } })}>
        赋监督登记号
      </Button>
    </Can>
  )
}

/** Units with their key posts and holders; a post may be vacant. */
function KeyPosts({ posts }: { posts: Info['keyPosts'] }) {
  return [...Map.groupBy(posts, (post) => post.unit)].map(([unit, own]) => (
    <section key={unit} className="org-key-posts">
      <h3>{unit}</h3>
      {own.map(({ post, name, holders }) => (
        <div key={post} className={holders.length > 0 ? '' : 'empty'}>
          <span>{name}</span>
          {holders.length > 0 ? <b>{holders.join('、')}</b> : <Tag tone="danger">空缺</Tag>}
        </div>
      ))}
    </section>
  ))
}

/** Progress of works by district: projects by state and elapsed time, and late ones. */
export function AreaProgress({ onArea }: { onArea: (areaCode: string) => void }) {
  const { data, error, refetch } = useCall(progressByArea, {}, { quiet: true })
  const dicts = useDicts('projectPhase')
  const list = data?.list ?? noAreas
  const phases = dicts.options('projectPhase')
  const states = useMemo<ChartOption>(() => stacked(list, stateBars), [list])
  const byPhase = useMemo<ChartOption>(
    () =>
      stacked(
        list,
        phases.map(({ value, label }, i) => ({
          name: label,
          color: phaseColors[i % phaseColors.length] ?? '',
          of: (a) => a.byPhase[value] ?? 0,
        })),
      ),
    [list, phases],
  )
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  if (list.length === 0) return <Empty text="没有项目" />
  const height = list.length * 30 + 60
  const open = ({ name }: { name: string }) => {
    const area = list.find((a) => a.areaName === name)
    if (area) onArea(area.areaCode)
  }
  return (
    <div className="org-progress">
      <Card title="各区县项目状态" remark="点击查看项目" flush>
        <Chart
          option={states}
          height={height}
          label={list.map((a) => `${a.areaName} 在建 ${a.building} 停工 ${a.stopped}`).join('；')}
          onClick={open}
        />
      </Card>
      <Card title="在建项目形象进度" flush>
        <Chart option={byPhase} height={height} label="各区县在建项目按形象进度的个数" onClick={open} />
      </Card>
      <Card title="工期" remark="在建项目已过的计划工期，平均">
        <ul className="org-brief-list">
          {list.map((a) => (
            <li key={a.areaCode} className="org-progress-row">
              <span>{a.areaName}</span>
              <Progress percent={Math.round((a.elapsed ?? 0) * 100)} size="small" aria-label={`${a.areaName} 平均已过工期`} />
              {a.late > 0 ? <Tag tone="danger">{a.late} 个超期</Tag> : <span className="zg-2">{a.building ? '无超期' : '无在建'}</span>}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

type AreaRow = OutputFor<typeof progressByArea>['list'][number]
const noAreas: readonly AreaRow[] = []
interface Bar {
  name: string
  color: string
  of: (area: AreaRow) => number
}
const stateBars: Bar[] = [
  { name: '在建', color: colors.fine, of: (a) => a.building },
  { name: '停工', color: colors.danger, of: (a) => a.stopped },
  { name: '完工及以后', color: colors.border, of: (a) => a.finished },
  { name: '筹备与立项', color: colors.primarySoft, of: (a) => a.projects - a.building - a.stopped - a.finished },
]
/** Colours of the phases in order, from start to completion. */
const phaseColors = [
  colors.primaryWash,
  colors.primaryLine,
  colors.primarySoft,
  colors.navAccent,
  colors.primary,
  colors.primaryDeep,
  colors.nav,
]

function stacked(areas: readonly AreaRow[], bars: readonly Bar[]): ChartOption {
  const rows = areas.toReversed()
  return {
    grid: { left: 8, right: 20, top: 30, bottom: 4, containLabel: true },
    legend: { top: 0, right: 0 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: { type: 'value', minInterval: 1 },
    yAxis: { type: 'category', data: rows.map((a) => a.areaName) },
    series: bars.map(({ name, color, of }) => ({
      type: 'bar',
      stack: 'all',
      barMaxWidth: 16,
      name,
      itemStyle: { color },
      data: rows.map(of),
    })),
  }
}
