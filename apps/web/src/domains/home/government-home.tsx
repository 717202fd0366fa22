import type { MainPage } from '@zhugong/contract/home/endpoints'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { Link } from 'react-router'
import { useEnter } from '#kit/enter.ts'
import { Card, Empty, RiskBadge } from '#kit/feedback.tsx'
import { timeOfDay } from '#kit/format.ts'
import { useMe } from '#kit/me.ts'
import { DeviceList } from './device-list.tsx'
import { DistrictPicture, levelOf } from './district-picture.tsx'
import { HomeFigures } from './figures.tsx'
import { ProjectTable } from './project-table.tsx'
import { TaskList } from './task-list.tsx'

export function GovernmentHome({ data }: { data: MainPage }) {
  const name = useMe((me) => me.info?.groupName)
  const counts = [1, 2, 3].map((level) => [level, data.projects.filter((p) => levelOf(p.score) === level).length] as const)
  return (
    <div className="zg-page home">
      <header className="zg-page-title">
        <h1>{name}</h1>
        <span className="trail">
          {data.projects.filter((p) => p.prjStatus === projectStates.building).length} 个在建项目，{data.districts.length} 个区县
        </span>
      </header>
      <div className="home-body">
        <TaskList title="今天要办" tasks={data.tasks} count={data.taskCount} withProject />
        <div className="home-centre">
          <HomeFigures figures={data.figures} />
          <Card
            title="项目风险"
            remark="按告警、关键岗位、证书和设备计分"
            actions={
              <span className="home-legend">
                {counts.map(([level, n]) => (
                  <span key={level}>
                    <RiskBadge level={level} word={false} /> {n}
                  </span>
                ))}
                <span className="zg-2">{timeOfDay(data.at)} 更新</span>
              </span>
            }
            flush
          >
            {data.projects.length ? (
              <DistrictPicture projects={data.projects} />
            ) : (
              <Empty text="辖区内还没有项目" hint="在监管项目中新建或指派" />
            )}
          </Card>
          <Card title="先去哪里" remark="分高的先去" actions={<Link to="/gov/project">全部项目</Link>} flush>
            <ProjectTable projects={data.projects.slice(0, 8)} />
          </Card>
        </div>
        <div className="home-right">
          <DistrictList districts={data.districts} />
          <StoppedSites projects={data.projects} />
          <DeviceList devices={data.devices} />
        </div>
      </div>
    </div>
  )
}

/** Districts compared: people present, open tasks, and severity. */
function DistrictList({ districts }: { districts: MainPage['districts'] }) {
  return (
    <Card title="区县" remark="出勤与待处理告警" actions={<Link to="/mainHs">排名与下钻</Link>} flush>
      <ul className="home-districts">
        {districts.map((d) => (
          <li key={d.areaCode}>
            <b>{d.name}</b>
            <span>在建 {d.building}</span>
            <span>{d.rate === null ? '今日无应到' : `实到 ${d.arrived} / ${d.expected}`}</span>
            <span className={d.graveAlarms ? 'tone-danger' : 'zg-2'}>
              告警 {d.openAlarms}
              {d.graveAlarms ? `（一二级 ${d.graveAlarms}）` : ''}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StoppedSites({ projects }: { projects: MainPage['projects'] }) {
  const enter = useEnter()
  const stopped = projects.filter((p) => p.prjStatus === projectStates.stopped)
  return (
    <Card
      title="停工项目"
      remark={`${stopped.length} 个`}
      actions={<Link to={`/gov/project?enable=1&prjStatus=${projectStates.stopped}`}>查看</Link>}
      flush
    >
      {stopped.length === 0 ? (
        <Empty small text="没有停工项目" />
      ) : (
        <ul className="home-districts">
          {stopped.map((p) => (
            <li key={p.projectCode}>
              <button
                type="button"
                className="zg-bare zg-link"
                onClick={() => void enter({ projectCode: p.projectCode, projectName: p.name }, '/main')}
              >
                {p.name}
              </button>
              <span>今日出勤 {p.attended} 人</span>
              <span className={p.openAlarms ? 'tone-danger' : 'zg-2'}>告警 {p.openAlarms}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
