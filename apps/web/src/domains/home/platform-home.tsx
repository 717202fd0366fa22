import type { MainPage } from '@zhugong/contract/home/endpoints'
import { Link } from 'react-router'
import { Card, Pairs } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { DeviceList } from './device-list.tsx'
import { HomeFigures } from './figures.tsx'
import { ProjectTable } from './project-table.tsx'
import { TaskList } from './task-list.tsx'
import { TrendCards } from './trend-cards.tsx'
import { WeekBars } from './week-bars.tsx'

export function PlatformHome({ data }: { data: MainPage }) {
  const s = data.service
  return (
    <div className="zg-page home">
      <header className="zg-page-title">
        <h1>平台今日</h1>
        <span className="trail">
          {data.districts.length} 个区县，{data.projects.length} 个项目
        </span>
      </header>
      <div className="home-body">
        <TaskList tasks={data.tasks} count={data.taskCount} withProject />
        <div className="home-centre">
          <HomeFigures figures={data.figures} />
          {s && (
            <Card title="运行状况" remark="每 30 秒更新">
              <Pairs
                items={[
                  { label: '启用的机构与项目', value: thousands(s.groups) },
                  { label: '启用账号', value: thousands(s.users) },
                  { label: '没有账号的项目', value: s.withoutAdmin ? <b className="tone-danger">{s.withoutAdmin}</b> : '0' },
                  {
                    label: '离线网关',
                    value: s.gatewaysOffline ? (
                      <Link to={hrefOf('/gateway', { status: '1', online: 'false' })}>{s.gatewaysOffline}</Link>
                    ) : (
                      '0'
                    ),
                  },
                  { label: '未登记设备', value: thousands(s.unregistered) },
                  { label: '一分钟内上报的设备', value: thousands(s.readingsPerMinute) },
                  { label: '进行中 / 失败的导出', value: `${s.jobsRunning} / ${s.jobsFailed}` },
                  { label: '数据库', value: `${thousands(s.databaseMb)} MB` },
                ]}
              />
            </Card>
          )}
          <Card title="项目" remark="最需要关注的在前" actions={<Link to="/gov/project">全部项目</Link>} flush>
            <ProjectTable projects={data.projects.slice(0, 10)} />
          </Card>
          <Card title="近 7 日出勤" remark="全部项目合计" flush className="home-week-card">
            <WeekBars week={data.week} />
          </Card>
          <TrendCards week={data.week} />
        </div>
        <div className="home-right">
          <DeviceList devices={data.devices} />
        </div>
      </div>
    </div>
  )
}
