import type { MainPage } from '@zhugong/contract/home/endpoints'
import { Card, Empty } from '#kit/feedback.tsx'
import { useMe } from '#kit/me.ts'
import { DeviceList } from './device-list.tsx'
import { HomeFigures } from './figures.tsx'
import { OwnPeople } from './own-people.tsx'
import { ProjectTable } from './project-table.tsx'
import { TaskList } from './task-list.tsx'
import { TrendCards } from './trend-cards.tsx'
import { WeekBars } from './week-bars.tsx'

export function CompanyHome({ data }: { data: MainPage }) {
  const name = useMe((me) => me.info?.groupName)
  return (
    <div className="zg-page home">
      <header className="zg-page-title">
        <h1>{name}</h1>
        <span className="trail">参与 {data.projects.length} 个项目，点项目名进入该项目</span>
      </header>
      <div className="home-body">
        <TaskList tasks={data.tasks} count={data.taskCount} withProject />
        <div className="home-centre">
          <HomeFigures figures={data.figures} />
          <Card title="项目" remark="最需要关注的在前" flush>
            {data.projects.length ? (
              <ProjectTable projects={data.projects} plain />
            ) : (
              <Empty text="还没有参与的项目" hint="由项目部在参建单位中加入贵单位" />
            )}
          </Card>
          <Card title="近 7 日出勤" remark="各项目合计，停工项目照常记录" flush className="home-week-card">
            <WeekBars week={data.week} />
          </Card>
          <TrendCards week={data.week} />
        </div>
        <div className="home-right">
          <OwnPeople />
          <DeviceList devices={data.devices} />
        </div>
      </div>
    </div>
  )
}
