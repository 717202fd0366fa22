import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { minuteMs } from '@zhugong/contract/kit/time'
import { aiVerdictNames, aiVerdicts, getAiEvent } from '@zhugong/contract/monitoring/video/ai-events'
import { keptReasons } from '@zhugong/contract/monitoring/video/camera-ai'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs, RiskBadge } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { AiVerdict } from './ai-verdict.tsx'
import { AiPicture, confidenceWords, ReviewTag, typeName } from './ai-words.tsx'
import './video.css'
import { VideoTile } from './video-tile.tsx'

/** A recording starts a little before the recognition. */
const beforeMs = 15_000

/** Is the event true, and what was done about it? */
export default function AiDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const projectCode = useProjectCode()
  const go = useGo()
  const page = usePage()
  const event = useCall(getAiEvent, { params: { id }, query: { projectCode } }, { quiet: true, enabled: id !== '', staleMs: 240_000 })
  const { data } = event
  const [playing, setPlaying] = useState(false)
  const [alarm, setAlarm] = useState<string>()
  usePageTitle(data && `${typeName(data.type)} ${time(data.time).slice(5, 16)}`)
  const { active, path } = page
  const previous = data?.previousId
  const next = data?.nextId
  useEffect(() => {
    if (!active) return
    const press = (pressed: KeyboardEvent) => {
      if ((pressed.target as Element).closest('input, textarea, select, [role="dialog"]')) return
      const to = pressed.key === 'ArrowLeft' ? previous : pressed.key === 'ArrowRight' ? next : undefined
      if (to) go(path, { id: to }, { replace: true })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [active, previous, next, go, path])
  if (!data)
    return (
      <PageShell>
        {id === '' ? (
          <Card>
            <Empty text="没有指定识别记录" hint="从 AI 识别记录中打开一条" />
          </Card>
        ) : event.error ? (
          <Card>
            <ErrorPanel error={event.error} retry={event.refetch} />
          </Card>
        ) : (
          <DetailSkeleton />
        )}
      </PageShell>
    )
  const open = (to: string | null) => to && go(page.path, { id: to }, { replace: true })
  const from = Math.floor(data.time / minuteMs) * minuteMs
  const span = { from, to: from + minuteMs }
  return (
    <PageShell
      title={typeName(data.type)}
      remark={`${data.projectName}　${data.deviceName}`}
      actions={
        <>
          <Button icon={<LeftOutlined />} disabled={!data.previousId} onClick={() => open(data.previousId)}>
            上一条
          </Button>
          <Button icon={<RightOutlined />} disabled={!data.nextId} onClick={() => open(data.nextId)}>
            下一条
          </Button>
          <AiVerdict event={data} keys onDone={() => void event.refetch()} />
        </>
      }
    >
      <div className="vid-detail">
        <Card
          title="画面"
          remark={`${time(data.time)}，框为识别位置`}
          actions={
            <Button size="small" aria-pressed={playing} onClick={() => setPlaying(!playing)}>
              {playing ? '看抓图' : '看这一分钟'}
            </Button>
          }
        >
          <div className="vid-large">
            {playing ? (
              <VideoTile
                deviceId={data.deviceId}
                name={data.deviceName}
                mode="live"
                span={span}
                at={Math.max(from, data.time - beforeMs)}
              />
            ) : (
              <AiPicture event={data} large />
            )}
          </div>
        </Card>
        <div className="vid-column">
          <Card title="事件" actions={<ReviewTag review={data.review} />}>
            <Pairs
              items={[
                { label: '类型', value: typeName(data.type) },
                { label: '置信度', value: confidenceWords(data.confidence) },
                { label: '次数', value: `${data.count} 次（60 秒内合并）` },
                { label: '位置', value: data.area },
                { label: '时间', wide: true, value: time(data.time) },
                {
                  label: '告警',
                  value: data.level === null ? data.kept ? keptReasons[data.kept] : '没有触发告警' : <RiskBadge level={data.level} />,
                },
              ]}
            />
            <p className="fam-acts">
              {data.alarmId && (
                <Button size="small" onClick={() => setAlarm(data.alarmId ?? undefined)}>
                  看告警
                </Button>
              )}
              <Link to={hrefOf('/VideoPlayback', { deviceId: data.deviceId, time: String(data.time) })}>在回放中打开</Link>
              <Link to={hrefOf('/videoAI', { deviceId: data.deviceId })}>这台摄像机的 AI 分析</Link>
            </p>
          </Card>
          <Card title="经过">
            <ol className="vid-line">
              <li>
                <time>{time(data.time)}</time> 识别到{typeName(data.type)}，置信度 {confidenceWords(data.confidence)}
              </li>
              {data.alarmId && <li>触发 {data.level} 级告警</li>}
              {data.firstReview && data.firstReview !== data.review && <li>首次复核为{aiVerdictNames[data.firstReview]}</li>}
              {data.reviewTime !== null ? (
                <li>
                  <time>{time(data.reviewTime)}</time> {data.reviewer} 复核为{aiVerdictNames[data.review]}
                  {data.reason && `（${data.reason}）`}
                </li>
              ) : (
                <li>{data.review === aiVerdicts.open ? '等待复核' : `设备侧标记为${aiVerdictNames[data.review]}`}</li>
              )}
            </ol>
          </Card>
        </div>
        <Card className="wide" title="同一摄像机前后 7 天" remark={`${data.similar.length} 条`}>
          {data.similar.length === 0 ? (
            <Empty small text="没有其他识别" />
          ) : (
            <ul className="vid-gallery">
              {data.similar.map((one) => (
                <li key={one.id}>
                  <Link to={hrefOf('/AI/detail', { id: one.id })} title={`${typeName(one.type)} ${time(one.time)}`}>
                    <AiPicture event={one} />
                  </Link>
                  <div>
                    <strong>{typeName(one.type)}</strong> <ReviewTag review={one.review} />
                    <span className="zg-2">{time(one.time).slice(5, 16)}</span>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      <AlarmDrawer id={alarm} onClose={() => setAlarm(undefined)} />
    </PageShell>
  )
}
