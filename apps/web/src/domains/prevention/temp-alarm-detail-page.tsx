import { type TempAction, tempActions } from '@zhugong/contract/prevention/codes'
import { actOnTempAlarms, getTempAlarm } from '@zhugong/contract/prevention/endpoints'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { time, timeOfDay } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { HandleDrawer } from './handle-drawer.tsx'
import { degrees, HiddenHealth, LevelTag, StateTag } from './words.tsx'
import './prevention.css'

/** One temperature alarm: measurements, handling, and whether the device is at fault. */
export default function TempAlarmDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const { data, error, refetch } = useCall(getTempAlarm, { params: { id: id || '-' } }, { quiet: true, enabled: id !== '' })
  const [wanted, setWanted] = useState<'recheck' | 'handle'>()
  const act = useAct(actOnTempAlarms, { success: '已办理', onDone: () => refresh() })
  usePageTitle(data ? `${data.name} 体温` : undefined)
  const gateOption = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 40, top: 16, bottom: 8, containLabel: true },
      tooltip: { trigger: 'item' },
      xAxis: { type: 'category', data: (data?.gate ?? []).map((g) => timeOfDay(g.time)) },
      yAxis: { type: 'value', min: 35, max: 39 },
      series: [
        {
          type: 'scatter',
          name: '同闸机',
          symbolSize: 7,
          data: (data?.gate ?? []).map((g) => g.value),
          markLine: { symbol: 'none', data: [{ yAxis: data?.threshold ?? 37.3 }] },
        },
      ],
    }),
    [data],
  )
  const ownOption = useMemo<ChartOption>(() => {
    const own = (data?.own ?? []).toReversed()
    return {
      grid: { left: 8, right: 40, top: 16, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: own.map((r) => r.time.slice(5, 16)) },
      yAxis: { type: 'value', min: 35, max: 39 },
      series: [
        {
          type: 'line',
          name: '体温',
          data: own.map((r) => r.value),
          markLine: { symbol: 'none', data: [{ yAxis: data?.threshold ?? 37.3 }] },
        },
      ],
    }
  }, [data])
  if (!id)
    return (
      <PageShell>
        <Empty text="未指定记录" hint="从体温预警记录打开">
          <Link to="/tempAlarmRecord">体温预警记录</Link>
        </Empty>
      </PageShell>
    )
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const run = async (action: TempAction) => {
    if (action === 'recheck' || action === 'handle') return setWanted(action)
    const remark = action === 'mistake' ? await askReason('记为误报', '误报原因，如闸机偏高') : ''
    if (remark !== undefined)
      await act.run({ query: { projectCode: data.projectCode }, body: { items: [{ id, version: data.version }], action, remark } })
  }
  const gateMean = data.gate.length ? data.gate.reduce((n, g) => n + g.value, 0) / data.gate.length : undefined
  return (
    <PageShell
      title={`${data.name}，${data.workDay}`}
      remark={[data.corpName, data.teamName, data.projectName].filter(Boolean).join(' · ')}
      actions={
        <>
          <Can call={actOnTempAlarms} at={{ projectCode: data.projectCode, corpCode: data.corpCode }}>
            {data.actions.map((action) => (
              <Button
                key={action}
                type={action === 'handle' ? 'primary' : 'default'}
                loading={act.running}
                onClick={() => void run(action)}
              >
                {tempActions[action].name}
              </Button>
            ))}
          </Can>
          <Link to={hrefOf('/personnelSystem/info/virusProtect', { id: data.workerId })}>健康档案</Link>
        </>
      }
    >
      {!data.health && <HiddenHealth />}
      {data.health && gateMean !== undefined && data.gate.length > 5 && gateMean >= 36.9 && (
        <Notice tone="warning">
          同一闸机前后半小时平均 {gateMean.toFixed(1)} °C，偏高：多半是闸机，不是人；可在体温预警设置里校正偏差
        </Notice>
      )}
      <div className="pv-detail">
        <Card title="测温">
          <Pairs
            items={[
              { label: '体温', value: data.health ? `${degrees(data.temperature)} °C` : data.levelName },
              { label: '等级', value: <LevelTag level={data.level} name={data.levelName} /> },
              { label: '预警体温', value: `${data.threshold.toFixed(1)} °C` },
              { label: '首次', value: time(data.time) },
              { label: '最近', value: data.count > 1 ? `${time(data.lastTime)}，共 ${data.count} 次` : '只测到一次' },
              { label: '闸机', value: data.channel ?? data.terminalCode },
              { label: '闸机偏差', value: data.offset ? `${data.offset > 0 ? '+' : ''}${data.offset.toFixed(1)} °C，已校正` : '无' },
              { label: '复测', value: data.rechecked ? (data.recheck === null ? '已复测' : `${degrees(data.recheck)} °C`) : '未复测' },
            ]}
          />
        </Card>
        <Card title="处理" remark={<StateTag state={data.handleState} name={data.handleStateName} />}>
          {data.course.length === 0 ? (
            <Empty small text="尚未处理" hint="先接单，复测后处理" />
          ) : (
            <ul className="pv-course">
              {data.course.map((c) => (
                <li key={`${c.at}${c.action}`}>
                  <b>{c.action}</b> {c.name} <span className="zg-2">{time(c.at)}</span>
                  {c.text && <div>{c.text}</div>}
                </li>
              ))}
            </ul>
          )}
          {data.outcome && <p>去向：{data.outcome}</p>}
        </Card>
        {data.health && (
          <>
            <Card title="本人最近 10 次" remark="横线为预警体温">
              {data.own.length < 2 ? <Empty small text="没有更多测温" /> : <Chart height={200} label="本人最近体温" option={ownOption} />}
            </Card>
            <Card title="同闸机前后半小时" remark="是人发热，还是闸机偏高">
              {data.gate.length < 2 ? (
                <Empty small text="前后半小时没有其他人" />
              ) : (
                <Chart height={200} label="同闸机前后半小时体温" option={gateOption} />
              )}
            </Card>
          </>
        )}
      </div>
      {wanted && <HandleDrawer row={data} action={wanted} onClose={() => setWanted(undefined)} />}
    </PageShell>
  )
}
