import { getHomeReport, getMainPage, type MainPage } from '@zhugong/contract/home/endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { DistrictPicture } from './district-picture.tsx'
import { ProjectTable } from './project-table.tsx'
import './home.css'

type District = MainPage['districts'][number]
/** Below this number of projects a rate means little and is shown in grey. */
const fewProjects = 5

/** Districts compared: which lags, for what reason and in which project. */
export default function MunicipalPage() {
  const { data, error, refetch } = useCall(getMainPage, { query: { view: 'hs' } }, { quiet: true, everyMs: 60_000, keepPrevious: true })
  const report = useCall(getHomeReport, { query: { days: 30 } }, { quiet: true })
  const [chosen, setChosen] = useState<string>()
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const ranked = [...data.districts].sort((a, b) => (b.score ?? -1) - (a.score ?? -1))
  const district = ranked.find((d) => d.areaCode === chosen)
  const projects = district ? data.projects.filter((p) => p.areaName === district.name) : data.projects
  return (
    <PageShell
      title="市级总览"
      remark={`${ranked.length} 个区县，${data.projects.length} 个项目`}
      actions={<Button onClick={() => window.print()}>打印</Button>}
    >
      <div className="home-municipal">
        <Card
          title="区县排名"
          remark="综合分 = 近 7 日出勤率、设备在线率、实名率的平均，每个有待处理一二级告警的项目减 2 分；只计应到的日子"
          flush
        >
          {ranked.length ? (
            <Ranking districts={ranked} chosen={chosen} onChoose={setChosen} />
          ) : (
            <Empty text="没有可比较的区县" hint="市级账号可见辖区内全部区县" />
          )}
        </Card>
        <Card title={district ? `${district.name}的项目` : '全部项目'} remark="点项目名进入" flush>
          <DistrictPicture projects={projects} />
          <ProjectTable projects={projects} />
        </Card>
        <Card title="近 30 日出勤与告警" remark="柱为告警数，线为出勤人次" flush>
          {report.error ? (
            <ErrorPanel error={report.error} retry={report.refetch} />
          ) : (
            <Chart
              label="近 30 日出勤人次与告警数"
              height={260}
              option={{
                legend: { top: 4 },
                grid: { left: 48, right: 48, top: 40, bottom: 28 },
                xAxis: { type: 'category', data: report.data?.attendance.map((d) => d.day.slice(5)) ?? [] },
                yAxis: [
                  { type: 'value', name: '人次' },
                  { type: 'value', name: '条' },
                ],
                series: [
                  { name: '出勤人次', type: 'line', showSymbol: false, data: report.data?.attendance.map((d) => d.attended) ?? [] },
                  {
                    name: '一二级告警',
                    type: 'bar',
                    yAxisIndex: 1,
                    data:
                      report.data?.attendance.map((d) => {
                        const a = report.data?.alarms.find((x) => x.day === d.day)
                        return a ? a.level1 + a.level2 : 0
                      }) ?? [],
                  },
                ],
              }}
            />
          )}
        </Card>
      </div>
    </PageShell>
  )
}

function Ranking({
  districts,
  chosen,
  onChoose,
}: {
  districts: readonly District[]
  chosen: string | undefined
  onChoose: (code: string | undefined) => void
}) {
  const percent = (value: number | null) => (value === null ? '--' : `${value.toFixed(2)}%`)
  return (
    <table className="home-table">
      <thead>
        <tr>
          <th className="num">名次</th>
          <th>区县</th>
          <th className="num">项目</th>
          <th className="num">在建</th>
          <th className="num">在册</th>
          <th className="num">实名录入率</th>
          <th className="num">近 7 日出勤率</th>
          <th className="num">设备在线率</th>
          <th className="num">待处理告警</th>
          <th className="num">综合分</th>
          <th className="num" title="近 7 日出勤率与再前 7 日相比，百分点">
            较前 7 日
          </th>
        </tr>
      </thead>
      <tbody>
        {districts.map((d, i) => (
          <tr
            key={d.areaCode}
            className={`${d.areaCode === chosen ? 'chosen' : ''} ${d.projects < fewProjects ? 'few' : ''}`}
            title={d.projects < fewProjects ? `不足 ${fewProjects} 个项目，比率仅供参考` : undefined}
          >
            <td className="num">{i + 1}</td>
            <td>
              <button
                type="button"
                className="zg-bare zg-link"
                aria-pressed={d.areaCode === chosen}
                onClick={() => onChoose(d.areaCode === chosen ? undefined : d.areaCode)}
              >
                {d.name}
              </button>
            </td>
            <td className="num">{d.projects}</td>
            <td className="num">{d.building}</td>
            <td className="num">{d.onSite}</td>
            <td className="num">{percent(d.realNameRate)}</td>
            <td className="num">{percent(d.weekRate)}</td>
            <td className="num">{percent(d.onlineRate)}</td>
            <td className="num">{d.openAlarms}</td>
            <td className="num">
              <b>{d.score ?? '--'}</b>
            </td>
            <td className="num">{d.change === null ? '--' : d.change > 0 ? `+${d.change}` : d.change}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
