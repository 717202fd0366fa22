import { PrinterOutlined } from '@ant-design/icons'
import { createSession, removeAttendance, trainCard } from '@zhugong/contract/personnel/training'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { laterDialog } from '#kit/later-dialog.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { PersonChoice } from './person-choice.tsx'
import './personnel.css'
import { colors } from '#kit/colors.ts'

const SessionDrawer = laterDialog(() => import('./session-drawer.tsx').then((file) => file.SessionDrawer))
type Shown = NonNullable<(typeof trainCard)['types']>['out']

/** Trainings of one person: date, trainer and score. */
export default function TrainDetailsPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return <PersonChoice why="培训记录按人查看" onChoose={(workerId) => go('/person/train/details', { id: workerId }, { replace: true })} />
  return <Details id={id} />
}

function Details({ id }: { id: string }) {
  const read = useCall(trainCard, { params: { id } }, { quiet: true })
  const [adding, setAdding] = useState(false)
  const print = usePrint('trainingCard')
  const d = read.data
  usePageTitle(d?.name)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!d) return <DetailSkeleton />
  const stay = d.stay
  return (
    <PageShell
      remark={stay ? [stay.projectName, stay.teamName, stay.workTypeName].filter(Boolean).join(' · ') : undefined}
      actions={
        <>
          {stay && (
            <Can call={createSession}>
              <Button onClick={() => setAdding(true)}>登记培训</Button>
            </Can>
          )}
          <Can call={{ needs: 'personnel.export' }}>
            <Button
              type="primary"
              icon={<PrinterOutlined />}
              loading={print.running}
              disabled={!stay}
              onClick={() => stay && void print.run({ body: { feature: 'trainingCard', exportType: 'pdf', query: { ids: stay.id } } })}
            >
              打印教育卡
            </Button>
          </Can>
        </>
      }
    >
      <div className="per-train">
        <Levels d={d} />
        <Card title="每年学时" remark="合格的培训">
          {d.years.length === 0 ? (
            <Empty text="没有培训记录" />
          ) : (
            <Chart
              height={220}
              label={d.years.map((y) => `${y.year} 年 ${y.hours} 学时`).join('，')}
              option={{
                grid: { left: 40, right: 16, top: 16, bottom: 24 },
                tooltip: { trigger: 'axis' },
                xAxis: { type: 'category', data: d.years.map((y) => y.year) },
                yAxis: { type: 'value', name: '学时' },
                series: [{ type: 'bar', name: '学时', barMaxWidth: 36, color: colors.primary, data: d.years.map((y) => y.hours) }],
              }}
            />
          )}
        </Card>
      </div>
      <Records d={d} />
      {adding && stay && <SessionDrawer people={[{ ...stay }]} onClose={() => setAdding(false)} onDone={() => void read.refetch()} />}
    </PageShell>
  )
}

function Levels({ d }: { d: Shown }) {
  const entry = d.stay?.marks.entry
  return (
    <Card
      title="三级安全教育登记卡"
      remark={d.stay ? (d.stay.entryTrained ? '可以进场作业' : '未完成入场教育，不能进场作业') : '没有在管辖范围内的在场记录'}
    >
      <Pairs
        items={[
          { label: '姓名', value: d.name },
          { label: '性别 / 年龄', value: `${d.gender ?? '--'} / ${d.age}` },
          { label: '证件号码', value: d.idCardNumber },
          { label: '单位', value: d.stay?.corpName },
          {
            label: '入场教育',
            value: entry?.date ? `${entry.date}，${entry.hours} 学时，${entry.state === 'failed' ? '不合格' : '合格'}` : '没有记录',
          },
        ]}
      />
      <ol className="per-levels">
        {d.levels.map((l) => (
          <li key={l.type} className={l.passed ? 'done' : l.date ? 'failed' : undefined}>
            <div>
              <b>{l.title}</b>{' '}
              {l.passed ? (
                <Tag tone="fine">合格</Tag>
              ) : l.date ? (
                <Tag tone="danger">不合格</Tag>
              ) : (
                <Tag tone="neutral" icon={false}>
                  没有记录
                </Tag>
              )}
            </div>
            <div>
              {l.date ?? '--'}　{l.trainer ?? '授课人 --'}
              {l.score !== null && `　${l.score} 分`}
            </div>
            <div className="bar" title={`${l.hours} / ${l.least} 学时`}>
              <Filled part={l.hours} whole={l.least} />
            </div>
            <div className={l.date && l.hours < l.least ? 'tone-danger' : 'zg-2'}>
              {l.hours} / {l.least} 学时{l.date && l.hours < l.least ? '，学时不足' : ''}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Records({ d }: { d: Shown }) {
  const act = useAct(removeAttendance, { success: '已移除，进场条件重新核对' })
  const takeOut = async (one: Shown['list'][number]) => {
    const reason = await askReason(`移除 ${d.name} 的“${one.name ?? one.typeName}”`, '移除原因')
    if (reason) await act.run({ params: { taskId: one.id }, query: { projectCode: '*', reason } })
  }
  return (
    <Card title="培训记录" remark={`${d.list.length} 次；其他单位项目的培训计学时，不开本项目的门`} flush>
      {d.list.length === 0 ? (
        <Empty text="没有培训记录" hint="登记一场培训后出现在这里" />
      ) : (
        <div className="per-records">
          {d.list.map((t) => (
            <div key={t.id}>
              <span className="zg-num">{t.trainDate}</span>
              <span>
                <b>{t.name ?? t.typeName}</b>
                <span className="zg-2">
                  {' '}
                  {t.typeName} · {t.projectName ?? '管辖范围外的项目'}
                  {t.ofThisStay ? '' : ' · 不在本次在场'}
                </span>
              </span>
              <span className={t.short ? 'tone-danger' : undefined}>
                {t.hours} 学时{t.short ? '（不足）' : ''}
              </span>
              <span>{t.trainer ?? '--'}</span>
              <span>
                {t.passed === null ? (
                  <Tag tone="running" icon={false}>
                    待登记
                  </Tag>
                ) : (
                  <Tag tone={t.passed ? 'fine' : 'danger'} icon={false}>
                    {t.passed ? '合格' : '不合格'}
                    {t.score !== null && ` ${t.score} 分`}
                  </Tag>
                )}
                {t.changed > 0 && <span className="zg-2"> 改过 {t.changed} 次</span>}
              </span>
              <Can call={removeAttendance}>
                <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => void takeOut(t)}>
                  移除
                </button>
              </Can>
            </div>
          ))}
        </div>
      )}
    </Card>
  )
}
