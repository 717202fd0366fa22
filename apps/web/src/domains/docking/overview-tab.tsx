import { type Freshness, getFreshness } from '@zhugong/contract/docking/overview'
import { notEnabled, objectOf } from '@zhugong/contract/docking/standard'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf } from '#kit/page.tsx'
import { freshTone, lineState } from './docking-words.ts'
import type { TabProps } from './tab-props.ts'

const base = '/RegulatoryDocking'
const queue = (query: Record<string, string>) => hrefOf(base, { tab: 'queue', ...query })

/** How much of our data has arrived above, and how old the rest is. */
export function OverviewTab({ tabs }: TabProps) {
  const { data, error, refetch } = useCall(getFreshness, { query: {} }, { quiet: true, staleMs: 15_000 })
  return (
    <PageShell actions={tabs}>
      <div className="dock-page">
        <FigureStrip
          loading={!data}
          items={[
            { label: '上传成功率', value: data?.rate ?? undefined, unit: '%', remark: '近 30 天' },
            { label: '待上传', value: data && thousands(data.waiting), unit: '条', href: queue({ uploadStatus: '0,4,2,5' }) },
            {
              label: '失败',
              value: data && thousands(data.failed),
              unit: '条',
              tone: data?.failed ? 'danger' : undefined,
              href: hrefOf(base, { tab: 'cause' }),
            },
            { label: '新鲜度', value: data?.freshness ?? undefined, unit: '分', tone: freshTone(data?.freshness), remark: '在建项目平均' },
          ]}
        />
        {error ? <ErrorPanel error={error} retry={refetch} /> : data ? <Body data={data} /> : <DetailSkeleton />}
      </div>
    </PageShell>
  )
}

function Body({ data }: { data: Freshness }) {
  if (data.platforms.length === 0)
    return <Empty text="没有接入上级平台" hint="由平台或主管部门在“对接平台”中登记连接、选择上传的项目后，数据自动上传" />
  return (
    <>
      {data.platforms
        .filter((one) => one.downSince !== null)
        .map((one) => (
          <Notice key={one.id} tone="danger">
            {one.name}：对方无响应，自 {one.downSince?.slice(0, 16)} 起已暂停，每 5 分钟探测；{one.waiting}{' '}
            条待上传，恢复后按顺序补传，不会丢失或重复
          </Notice>
        ))}
      <div className="dock-two">
        <Card title="项目新鲜度" remark="人员 24 小时内、考勤 1 小时内上传为满分；失败每条扣 5 分；低者在前">
          <Projects data={data} />
        </Card>
        <div className="dock-column">
          <Card title="连接状态">
            <ul className="dock-lines">
              {data.platforms.map((one) => {
                const { tone, word } = lineState(one)
                return (
                  <li key={one.id}>
                    <strong>{one.name}</strong>
                    <Tag tone={tone}>{word}</Tag>
                    <span className="zg-2">最近应答 {one.lastAnswer?.slice(5, 16) ?? '--'}</span>
                    <span className="dock-end">
                      待上传 {thousands(one.waiting)}，失败 {thousands(one.failed)}
                    </span>
                  </li>
                )
              })}
            </ul>
          </Card>
          <Card title="近 30 天上传结果">
            <Days days={data.days} />
          </Card>
        </div>
      </div>
      <Card title="各对象" remark="按上传顺序；名称旁为上级标准的名称">
        <Objects data={data} />
      </Card>
    </>
  )
}

function Projects({ data }: { data: Freshness }) {
  if (data.projects.length === 0) return <Empty small text="没有在建的上传项目" hint="停工、竣工与终止监督的项目不计新鲜度" />
  return (
    <div className="dock-scroll">
      <table className="dock-table">
        <thead>
          <tr>
            <th>项目</th>
            <th>新鲜度</th>
            <th>人员</th>
            <th>考勤</th>
            <th>工资</th>
            <th>失败</th>
            <th>待上传</th>
            <th>最早待办</th>
          </tr>
        </thead>
        <tbody>
          {data.projects.map((one) => (
            <tr key={one.projectCode}>
              <td>
                <Link to={queue({ projectCode: one.projectCode })}>{one.projectName}</Link>
              </td>
              <td>
                <span className={`dock-score tone-${freshTone(one.score)}`}>{one.score}</span>
              </td>
              <td>{one.people}</td>
              <td>{one.attendance}</td>
              <td className="zg-2">未启用</td>
              <td>{one.failed}</td>
              <td>{one.waiting}</td>
              <td>{one.oldest?.slice(5, 16) ?? '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Objects({ data }: { data: Freshness }) {
  return (
    <div className="dock-objects">
      {data.objects.map(({ objectType, waiting, accepted, failed }) => {
        const { name, upper } = objectOf(objectType)
        const total = waiting + accepted + failed
        return (
          <Link key={objectType} className="dock-object" to={queue({ objectType })}>
            <span className="dock-name">
              {name} <small>{upper}</small>
            </span>
            <svg className="dock-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="6" fill={colors.sunken} />
              <rect width={share(accepted, total)} height="6" fill={colors.fine} />
              <rect x={share(accepted, total)} width={share(failed, total)} height="6" fill={colors.danger} />
            </svg>
            <span className="dock-counts">
              已收 {thousands(accepted)}，待 {thousands(waiting)}，
              <span className={failed > 0 ? 'tone-danger' : undefined}>失败 {thousands(failed)}</span>
            </span>
          </Link>
        )
      })}
      {notEnabled.map(({ upper, name, why }) => (
        <div key={upper} className="dock-object">
          <span className="dock-name">
            {name} <small>{upper}</small>
          </span>
          <span className="zg-2">{why}</span>
          <span className="dock-counts">
            <Tag>未启用</Tag>
          </span>
        </div>
      ))}
    </div>
  )
}
const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)

function Days({ days }: { days: Freshness['days'] }) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 12, top: 28, bottom: 4, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: days.map((one) => one.day.slice(5)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          type: 'bar',
          stack: 'all',
          name: '已接收',
          barMaxWidth: 12,
          itemStyle: { color: colors.fine },
          data: days.map((one) => one.accepted),
        },
        {
          type: 'bar',
          stack: 'all',
          name: '被拒绝',
          barMaxWidth: 12,
          itemStyle: { color: colors.danger },
          data: days.map((one) => one.refused),
        },
      ],
    }),
    [days],
  )
  return <Chart option={option} height={220} label="近 30 天每天被接收与被拒绝的条数" />
}
