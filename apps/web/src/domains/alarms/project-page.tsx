import { listDrills, listSuppressions, startDrill, startSuppression } from '@zhugong/contract/alarms/endpoints'
import { noticePlan } from '@zhugong/contract/notify/endpoints'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { listExecs } from '@zhugong/contract/rules/endpoints'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, RiskBadge, TableSkeleton } from '#kit/feedback.tsx'
import { showFailure } from '#kit/http.ts'
import { ListShell, PageShell } from '#kit/list-shell.tsx'
import { switchScope, useProjectCode } from '#kit/me.ts'
import { NoticeStack } from '#kit/notice-stack.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { channelWord, LinkageNow, minutesWords, UnjudgedNotice, useLinkageNow, useUnjudged } from '../rules/public.tsx'
import { DutyWeek } from './duty-week.tsx'
import type { KeyRow } from './effective.ts'
import { ProjectDrill } from './project-drill.tsx'
import { KeyTable } from './project-keys.tsx'
import { ProjectOverride } from './project-override.tsx'
import { ProjectSuppress } from './project-suppress.tsx'
import type { Exec, PlanRow } from './project-words.tsx'
import { LastDrills, StoppedNotices } from './site-notes.tsx'
import { useSiteKeys } from './use-site-keys.ts'
import { useWaitingSuppressions, WaitingSuppressions } from './waiting-suppressions.tsx'
import './alarms.css'

const views = {
  all: '全部',
  own: '与标准不同',
  open: '正在告警',
  off: '已关闭',
} as const
type View = keyof typeof views

/** Alarm settings of one site: which alarms are on, who is notified when, and what differs from the standard. */
export default function AlarmProjectPage() {
  const projectCode = useProjectCode()
  return projectCode === '*' ? <ChooseProject /> : <Site key={projectCode} projectCode={projectCode} />
}

function ChooseProject() {
  const { data, error, isPending, refetch } = useCall(pickProjects, { query: { size: 200 } }, { quiet: true })
  const enter = (projectCode: string, projectName: string) => switchScope({ projectCode, projectName }).catch(showFailure)
  return (
    <PageShell>
      <Card title="选择项目" remark="生效值、通知对象与值班表按项目查看" flush>
        {isPending ? (
          <TableSkeleton rows={4} columns={3} />
        ) : error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : data.list.length === 0 ? (
          <Empty hint="没有可见的项目" />
        ) : (
          <ul className="alarm-projects">
            {data.list.map((one) => (
              <li key={one.projectCode}>
                <button type="button" className="zg-bare" onClick={() => void enter(one.projectCode, one.name)}>
                  <b>{one.name}</b>
                  <span className="zg-2">{one.areaName}</span>
                  <span className="zg-link">进入</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </PageShell>
  )
}

function Site({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const maySeeRules = useCan('rules.view')
  const [view, setView] = useState<View>('all')
  const [word, setWord] = useState('')
  const [changing, setChanging] = useState<KeyRow>()
  const [suppressing, setSuppressing] = useState<{ deviceId?: string }>()
  const [drilling, setDrilling] = useState<{ row?: KeyRow }>()

  const site = useSiteKeys(projectCode)
  const { counts, rows, openByKey } = site
  const execs = useCall(listExecs, { query: { projectCode, size: 500 } }, { enabled: maySeeRules, quiet: true, staleMs: 60_000 })
  const plan = useCall(noticePlan, { query: { projectCode } }, { quiet: true, staleMs: 60_000 })
  const stopped = useCall(listSuppressions, { query: { projectCode, active: true, size: 50 } }, { quiet: true, everyMs: 60_000 })
  const drills = useCall(listDrills, { query: { projectCode, size: 3 } }, { quiet: true })

  const list = (execs.data?.list ?? []) as readonly Exec[]
  const differs = (row: KeyRow) => row.difference !== undefined && row.difference !== 'same'
  const fits = (row: KeyRow) =>
    (word === '' || row.label.includes(word) || row.familyName.includes(word)) &&
    (view === 'all' ||
      (view === 'own' ? differs(row) || row.narrower.length > 0 : view === 'open' ? openByKey.has(row.id) : row.rule === undefined))
  const shown = rows.filter(fits)
  const groups = [...Map.groupBy(shown, (row) => row.family)]
  const looser = rows.filter((row) => row.difference === 'looser').length
  // Load the notices before the table below them: late ones would push it down.
  const notices = [stopped, useWaitingSuppressions(projectCode), useUnjudged({ projectCode }), useLinkageNow(projectCode)]

  if (notices.some((one) => one.isLoading)) return <DetailSkeleton />
  return (
    <>
      <ListShell
        remark={`${counts.size} 类 ${site.devices.length} 台设备，显示实际生效的值`}
        titleActions={
          <>
            <Can call={startSuppression} at={{ projectCode }}>
              <Button onClick={() => setSuppressing({})}>临时停用</Button>
            </Can>
            <Can call={startDrill} at={{ projectCode }}>
              <Button onClick={() => setDrilling({})}>演练</Button>
            </Can>
          </>
        }
        strip={
          <FigureStrip
            loading={site.loading}
            items={[
              {
                label: '已启用',
                value: rows.filter((row) => row.rule).length,
                unit: '种',
                remark: `共 ${rows.length} 种`,
              },
              {
                label: '与标准不同',
                value: rows.filter(differs).length,
                unit: '种',
                ...(looser ? { remark: `${looser} 种更松`, remarkTone: 'warning' as const } : { remark: '没有放宽' }),
              },
              {
                label: '当前未恢复',
                value: site.open,
                unit: '条',
                href: hrefOf('/alarm/record', { tab: 'active' }),
                tone: site.open ? 'danger' : undefined,
              },
              {
                label: '临时停用中',
                value: stopped.data?.total,
                unit: '项',
                tone: stopped.data?.total ? 'warning' : undefined,
                remark: stopped.data?.total ? '到期自动恢复' : undefined,
              },
            ]}
          />
        }
        above={
          <NoticeStack>
            <WaitingSuppressions projectCode={projectCode} />
            <LinkageNow projectCode={projectCode} />
            <StoppedNotices list={stopped.data?.list ?? []} projectCode={projectCode} />
            <UnjudgedNotice projectCode={projectCode} />
          </NoticeStack>
        }
        right={
          <aside className="alarm-aside" aria-label="值班与升级">
            <DutyWeek projectCode={projectCode} />
            <Card title="升级阶梯" remark="无人接单时">
              {plan.data ? <Ladders plan={plan.data.list} /> : <TableSkeleton rows={4} columns={2} />}
            </Card>
            <LastDrills list={drills.data?.list ?? []} />
          </aside>
        }
      >
        <div className="alarm-site">
          <div className="alarm-site-bar">
            <Segmented<View>
              value={view}
              options={(Object.keys(views) as View[]).map((key) => ({
                value: key,
                label:
                  key === 'own'
                    ? `${views.own} ${rows.filter((row) => differs(row) || row.narrower.length > 0).length}`
                    : key === 'open'
                      ? `${views.open} ${openByKey.size}`
                      : views[key],
              }))}
              onChange={setView}
            />
            <Input
              allowClear
              placeholder="告警或设备类型"
              aria-label="搜索告警"
              className="zg-w-180"
              value={word}
              onChange={(event) => setWord(event.target.value.trim())}
            />
          </div>
          {site.error ? (
            <ErrorPanel error={site.error} retry={site.refetch} />
          ) : site.loading ? (
            <TableSkeleton rows={10} columns={6} />
          ) : counts.size === 0 ? (
            <Empty text="本项目还没有设备" hint="登记设备后，这里列出每种设备的告警与生效值">
              <Button onClick={() => go('/administration')}>去登记设备</Button>
            </Empty>
          ) : groups.length === 0 ? (
            <Empty text="没有符合的告警" hint={view === 'own' ? '全部沿用标准，没有本项目的改动' : '换一个条件'} />
          ) : (
            groups.map(([family, own]) => (
              <KeyTable
                key={family}
                name={own[0]?.familyName ?? family}
                devices={counts.get(family) ?? 0}
                rows={own}
                total={rows.filter((row) => row.family === family).length}
                enabled={rows.filter((row) => row.family === family && row.rule).length}
                execs={list}
                plan={plan.data?.list ?? []}
                open={openByKey}
                onChange={setChanging}
                onDrill={(row) => setDrilling({ row })}
                projectCode={projectCode}
              />
            ))
          )}
        </div>
      </ListShell>
      {changing && <ProjectOverride row={changing} execs={list} projectCode={projectCode} onClose={() => setChanging(undefined)} />}
      {suppressing && (
        <ProjectSuppress
          devices={site.devices}
          projectCode={projectCode}
          deviceId={suppressing.deviceId}
          onClose={() => setSuppressing(undefined)}
        />
      )}
      {drilling && (
        <ProjectDrill
          projectCode={projectCode}
          devices={site.devices}
          rows={rows}
          first={drilling.row}
          execs={list}
          plan={plan.data?.list ?? []}
          ready={plan.data !== undefined && (!maySeeRules || execs.data !== undefined)}
          onClose={() => setDrilling(undefined)}
        />
      )}
    </>
  )
}

/** Escalation chain of each level: 安全员（周立新） → 5 分钟 项目经理（王建国） → …. */
function Ladders({ plan }: { plan: readonly PlanRow[] }) {
  return (
    <ol className="alarm-ladders">
      {plan.map((one) => (
        <li key={one.level}>
          <RiskBadge level={one.level} />
          <div>
            {one.receivers.length === 0 && one.ladder.length === 0 ? (
              <span className="zg-2">{one.digest ? '每日 07:30 汇总' : '只记录，不通知'}</span>
            ) : (
              <p>
                {one.receivers.map((to) => (
                  <span key={to.role} className={to.people.length ? '' : 'tone-danger'}>
                    {to.role}
                    <em>{to.people.length ? to.people.join('、') : '无人'}</em>
                  </span>
                ))}
                {one.ladder.map((rung) => (
                  <span key={rung.afterMinutes} className={rung.people.length ? '' : 'tone-danger'}>
                    <i>→ {minutesWords(rung.afterMinutes)}</i> {rung.roles.join('、')}
                    <em>{rung.people.length ? rung.people.join('、') : '无人'}</em>
                  </span>
                ))}
              </p>
            )}
            <div className="zg-2">
              {one.channels.map(channelWord).join('、')}
              {one.repeatMinutes ? `，每 ${minutesWords(one.repeatMinutes)}重复` : ''}
              {one.digest && one.receivers.length > 0 ? '，每日 07:30 汇总' : ''}
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
