import { CheckCircleFilled, WarningFilled } from '@ant-design/icons'
import type { MainPage } from '@zhugong/contract/home/endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import { projectStates } from '@zhugong/contract/organisation/codes'
import type { HomeCard } from '@zhugong/contract/settings/dashboard'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { age, measure, minuteOfDay, timeOfDay, weekday } from '#kit/format.ts'
import { projectTones } from '../organisation/public.tsx'
import { DeviceList } from './device-list.tsx'
import { HomeFigures } from './figures.tsx'
import { HourCurve } from './hour-curve.tsx'
import { SitePicture } from './site-picture.tsx'
import { TaskList } from './task-list.tsx'
import { WeekBars } from './week-bars.tsx'

export function ProjectHome({ data }: { data: MainPage }) {
  const { site } = data
  if (!site) return <Empty text="项目资料不完整" hint="请联系平台管理员" />
  const { weather } = site
  return (
    <div className="zg-page home">
      <header className="zg-page-title">
        <h1>{site.name}</h1>
        <Tag tone={projectTones[site.prjStatus] ?? 'neutral'} icon={false}>
          {site.prjStatusName}
          {site.phaseName ? ` · ${site.phaseName}` : ''}
        </Tag>
        <span className="trail">{periodWords(site, data.at.slice(0, 10))}</span>
        <div className="right home-weather">
          <span>
            {Number(data.at.slice(5, 7))} 月 {Number(data.at.slice(8, 10))} 日 星期{weekday(data.at)}
          </span>
          {weather.at ? (
            <span title={`本工地环境站 ${weather.at}`}>
              {measure(weather.temperature, 1)} ℃，湿度 {measure(weather.humidity, 0)} %，风 {measure(weather.wind, 1)} m/s，PM10{' '}
              {measure(weather.pm10, 0)} μg/m³
              <span className="zg-2">（{age(weather.at)}）</span>
            </span>
          ) : (
            <span>环境站无实时数据</span>
          )}
        </div>
      </header>
      {site.prjStatus === projectStates.stopped && <Notice tone="warning">项目停工中：考勤照常记录，出勤率与到岗率暂不考核</Notice>}
      {data.layout?.arranged ? <Arranged data={data} site={site} /> : <Usual data={data} site={site} />}
    </div>
  )
}

/** Start and planned duration of the works, as far as known. */
function periodWords({ prjStatus, startDate, completeDate }: NonNullable<MainPage['site']>, today: string): string {
  if (!startDate) return '开工日期 --'
  const days = (to: string) => Math.round((Date.parse(to) - Date.parse(startDate)) / dayMs)
  const planned = completeDate ? `计划 ${days(completeDate)} 天` : '计划工期 --'
  const waits = prjStatus === projectStates.planned || prjStatus === projectStates.approved
  return waits || startDate > today ? `计划 ${startDate} 开工，${planned}` : `开工第 ${days(today) + 1} 天，${planned}`
}

interface Shown {
  data: MainPage
  site: NonNullable<MainPage['site']>
}

/** Default layout: tasks on the left, the site in the middle, people and devices on the right. */
function Usual({ data, site }: Shown) {
  const cards = cardsOf({ data, site })
  return (
    <div className="home-body">
      {cards.tasks}
      <div className="home-centre">
        {cards.figures}
        {cards.site}
        {cards.week}
      </div>
      <div className="home-right">
        {cards.keyPosts}
        {cards.devices}
        {cards.hours}
      </div>
    </div>
  )
}

/** Layout arranged by the site, three columns wide. */
function Arranged({ data, site }: Shown) {
  const cards = cardsOf({ data, site })
  return (
    <div className="home-arranged">
      {data.layout?.cards
        .filter((one) => !one.hidden)
        .map(({ card, size }) => (
          <div key={card} className={`home-size-${size}`}>
            {cards[card]}
          </div>
        ))}
    </div>
  )
}

function cardsOf({ data, site }: Shown): Record<HomeCard, ReactNode> {
  const due = data.keyPosts.filter((p) => p.expected)
  const absent = due.filter((p) => !p.present).length
  const located = site.machines.length
  return {
    tasks: <TaskList tasks={data.tasks} count={data.taskCount} />,
    figures: <HomeFigures figures={data.figures} />,
    site: (
      <Card
        title="现场"
        remark={located ? `${located} 台设备在图上，人员按闸机统计，没有逐人定位` : '人员按闸机统计，没有逐人定位'}
        actions={
          <span className="home-legend">
            <Swatch color={colors.fine} /> 正常 <Swatch color={colors.orange} /> 预警 <Swatch color={colors.danger} /> 报警{' '}
            <Swatch color={colors.text2} /> 离线
            <span className="zg-2">{timeOfDay(data.at)} 更新</span>
          </span>
        }
        flush
        className="home-site-card"
      >
        {site.sitePlan ? (
          <SitePicture plan={site.sitePlan} machines={site.machines} />
        ) : (
          <Empty text="还没有现场平面图" hint="在项目资料中维护围栏与建筑后显示" />
        )}
      </Card>
    ),
    week: (
      <Card title="近 7 日出勤" remark="蓝色为进场人数，浅色为在场未进场" flush className="home-week-card">
        <WeekBars week={data.week} />
      </Card>
    ),
    keyPosts: (
      <Card
        title="关键岗位到岗"
        remark={`今日 ${minuteOfDay(data.at)}`}
        actions={
          due.length ? (
            <b className={absent ? 'tone-danger' : ''}>{`${due.length - absent} / ${due.length}`}</b>
          ) : (
            <span className="zg-2">{data.keyPosts.length ? '今日不考核' : ''}</span>
          )
        }
        flush
      >
        {data.keyPosts.length === 0 ? (
          <Empty small text="没有可显示的岗位" hint="岗位名单对本项目、参建单位和监管部门可见" />
        ) : (
          <ul className="home-posts">
            {[...Map.groupBy(data.keyPosts, (p) => p.postName.replace(/（.*/, ''))].map(([post, holders]) => (
              <PostRow key={post} post={post} holders={holders} />
            ))}
          </ul>
        )}
      </Card>
    ),
    devices: <DeviceList devices={data.devices} />,
    hours: (
      <Card title="今日进场" remark="每小时首次进场人数，灰线为上周同日" actions={<Link to="/checkingList">考勤列表</Link>} flush>
        <HourCurve hours={data.hours} />
      </Card>
    ),
  }
}

/** One key post: the name of its holder, or how many of several are present. */
function PostRow({ post, holders }: { post: string; holders: MainPage['keyPosts'] }) {
  const here = holders.filter((p) => p.present)
  // Holders who are not expected today do not count as missing.
  const missing = holders.filter((p) => p.expected && !p.present).length
  const first = here.map((p) => p.since ?? '').sort()[0]
  return (
    <li
      className={missing ? 'absent' : ''}
      title={holders.map((p) => `${p.name}${p.present ? ` ${p.since ?? ''}` : p.expected ? ' 未到' : ' 休'}`).join('，')}
    >
      {missing ? <WarningFilled /> : <CheckCircleFilled className="tone-fine" />}
      <span>{post}</span>
      <b>{holders.length === 1 ? holders[0]?.name : `${here.length} / ${holders.length}`}</b>
      <span className="when">
        {missing ? (holders.length === 1 ? '未到' : `缺 ${missing} 人`) : here.length ? `到岗 ${first ?? ''}` : '休'}
      </span>
    </li>
  )
}
